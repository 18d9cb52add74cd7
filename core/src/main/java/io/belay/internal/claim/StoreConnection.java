package io.belay.internal.claim;

import io.belay.ConnectMode;
import io.belay.StoreHealth;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Workers;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to its store, which is made at once, or by a thread of its own: again every second until it succeeds.
 * What is asked during an attempt waits for its end, as an answer may take for ever anyway, but no longer than a request may
 * take: then, and between two attempts, it fails with what is known. Once connected it only passes on. Before it is started
 * it is that of a client that is paused.
 */
final class StoreConnection implements Store {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** What is assumed before the store is known: nothing is refused that it might do. */
    private static final Capabilities UNKNOWN = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true)
            .withSharing(true);

    private final Engine engine;
    private final Optional<Capabilities> assumed;
    private final StepLock steps = new StepLock(() -> {});
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    // Changed in steps.
    /** Those who wait for the end of the attempt, in the order in which they asked. */
    private final Queue<CompletableFuture<Store>> asked = new ArrayDeque<>();

    /** True once an attempt was made before the start. */
    private boolean tried;

    private boolean trying;
    /** Since when the store is not there: the first attempt's begin, or a pause's, or the client's close. */
    private long absentSince;
    /** When the last attempt began. */
    private long attempted;
    /** Why whatever is asked fails while no attempt goes on: as the last one has, or, until the start, as a paused client. */
    private @Nullable StoreException failure = StoreException.unreachable("the client is paused", null);

    private volatile boolean closed;
    private volatile @Nullable Thread connecting;
    /** The store, once it is there: what it is like is known before the first answer. */
    private volatile @Nullable Store known;
    /** The same, once those have been served who asked before: from then on requests go to it. */
    private volatile @Nullable Store store;

    /** Makes one that is to be started, and may be {@linkplain #connect connected} before; what the store can do may be known. */
    StoreConnection(Engine engine, Optional<Capabilities> assumed) {
        this.engine = engine;
        this.assumed = assumed;
        absentSince = engine.time.nanos();
    }

    /** Connects at once, before the start, if the user wants that; throws if it must succeed and does not. */
    void connect() {
        ConnectMode mode = engine.options.connectMode();
        if (mode != ConnectMode.LATER) {
            try {
                known = open();
                store = known;
            } catch (StoreException e) {
                if (mode != ConnectMode.IF_REACHABLE || !e.isTemporary()) {
                    throw e;
                }
                tried = true;
                fail(engine.noteFailure(e, true));
            }
        }
    }

    /** Opens the store and asks what it is like; if it does not tell it is closed again. */
    private Store open() {
        Store opened = Objects.requireNonNull(engine.opener.open(engine.number(), engine), "nothing was opened");
        try {
            opened.capabilities();
            var unused = opened.slice().toNanos(); // which neither null has nor what is longer than a long
            return opened;
        } catch (Throwable e) { // nobody else closes it
            Workers.perform(opened::close, "A store could not be closed that did not tell what it can do");
            throw e;
        }
    }

    /** Begins to connect unless that was done; where no thread can be started nothing has changed. */
    void start() {
        if (store == null) {
            steps.run(() -> {
                connecting = engine.threads.start("belay-connect-" + engine.options.clientName(), this::keepTrying);
                absentSince = engine.time.nanos();
                attempted = absentSince;
                trying = !tried;
                failure = tried ? failure : null;
            });
        }
    }

    /** Returns what is done once nothing is connected to any more, after {@link #close}. */
    CompletableFuture<?> ended() {
        return connecting == null ? CompletableFuture.completedFuture(null) : ended;
    }

    /** Returns what the store can do, or could before a pause; empty while it has never been there. */
    Optional<Capabilities> known() {
        Store connected = known;
        return connected == null ? assumed : Optional.ofNullable(connected.capabilities());
    }

    /** Returns the state of a store that is not there, or not any more; empty if it is. */
    Optional<StoreHealth> absence() {
        return known != null && !closed
                ? Optional.empty()
                : Optional.of(steps.call(() -> {
                    String why =
                            failure == null ? "it has not answered since connecting to it began" : failure.getMessage();
                    Duration since = Duration.ofNanos(engine.time.nanos() - absentSince);
                    return new Shown.Health(false, since, Optional.ofNullable(why), Optional.empty());
                }));
    }

    private void keepTrying() {
        try {
            if (tried) {
                rest();
            }
            while (steps.call(this::begin) && !attempt()) {
                rest();
            }
        } finally {
            ended.complete(null);
        }
    }

    private void rest() {
        long end = engine.time.nanos() + PAUSE;
        for (long left = PAUSE; !closed && left > 0; left = end - engine.time.nanos()) {
            engine.threads.parkNanos(this, left);
            var unused = Thread.interrupted(); // which would end each attempt that follows
        }
    }

    private boolean begin() {
        trying = !closed;
        attempted = engine.time.nanos();
        return trying;
    }

    private boolean attempt() {
        Store opened;
        try {
            opened = open();
        } catch (Throwable e) { // a driver may not even find its classes
            // A client that was paused may have another connection by now.
            Workers.perform(() -> fail(engine.noteFailure(e, !closed)), "Why the store is away could not be told");
            return false;
        }
        if (!closed) {
            known = opened;
            // Before anybody has an answer of the store's; whatever that throws, those who wait are to have one.
            Workers.perform(engine::connected, "What follows a connection failed; it is used all the same");
            for (var next = next(opened); next != null; next = next(opened)) {
                next.complete(opened);
            }
        }
        if (store == null) { // the client was closed meanwhile
            Workers.perform(opened::close, "A store could not be closed that came too late");
        }
        return true;
    }

    /** Takes the next of those that wait; after the last, whoever asks goes to the store itself. */
    private @Nullable CompletableFuture<Store> next(Store opened) {
        return steps.call(() -> {
            CompletableFuture<Store> next = asked.poll();
            if (next == null && !closed) {
                store = opened;
            }
            return next;
        });
    }

    private void fail(StoreException why) {
        steps.run(() -> {
            trying = false;
            failure = why;
            asked.forEach(turn -> steps.later(() -> turn.completeExceptionally(why)));
            asked.clear();
        });
    }

    private <T> CompletionStage<T> ask(Function<Store, CompletionStage<T>> request) {
        Store connected = store;
        if (connected != null) {
            return request.apply(connected);
        }
        long since = engine.time.nanos();
        CompletableFuture<Store> turn = new CompletableFuture<>();
        CompletionStage<T> answer = turn.thenCompose(its -> isLate(since)
                ? CompletableFuture.failedFuture(late(since)) // who asked has given it up
                : request.apply(its));
        connected = steps.call(() -> waitOrFail(turn));
        return connected == null ? answer : request.apply(connected);
    }

    /** Lets a request wait for its turn, or fail, unless the store is there, which is returned. */
    private @Nullable Store waitOrFail(CompletableFuture<Store> turn) {
        boolean late = trying && known == null && isLate(attempted);
        StoreException why = late ? late(attempted) : trying ? null : failure;
        if (store == null && why == null) {
            asked.add(turn);
        } else if (store == null) {
            steps.later(() -> turn.completeExceptionally(why));
        }
        return store;
    }

    private boolean isLate(long since) {
        return engine.time.nanos() - since >= engine.requestTimeout();
    }

    private StoreException late(long since) {
        long millis = TimeUnit.NANOSECONDS.toMillis(engine.time.nanos() - since);
        return StoreException.unreachable(
                "the store has not answered for " + millis + " ms since connecting to it began", null);
    }

    @Override
    public Capabilities capabilities() {
        return known().orElse(UNKNOWN);
    }

    @Override
    public Duration slice() {
        Store connected = known;
        return connected == null ? Store.super.slice() : connected.slice();
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return ask(its -> its.send(request));
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        Store connected = store;
        return connected != null ? connected.renew(renewals) : Store.super.renew(renewals);
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return ask(its -> its.inspect(resource));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return ask(its -> its.names(prefix, cursor));
    }

    /** Closes the store; one that is being connected to is closed once it is there. */
    @Override
    public void close() {
        Store connected = steps.call(() -> {
            closed = true;
            absentSince = engine.time.nanos();
            return store;
        });
        if (connected != null) {
            // Whatever that throws, the rest of the client is to end, too.
            Workers.perform(connected::close, "The store could not be closed");
        } else {
            engine.threads.unpark(connecting);
        }
        fail(StoreException.unreachable("the client was closed", null));
    }
}
