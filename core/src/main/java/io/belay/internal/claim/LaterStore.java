package io.belay.internal.claim;

import io.belay.BelayOptions;
import io.belay.StoreHealth;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Workers;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that a thread of its own connects to, again every second until it succeeds. What is asked during an attempt waits
 * for its end, as an answer may take for ever anyway, but no longer than a request may take: then, and between two attempts,
 * it fails with what is known. Once connected it only passes on. Before it is started it is that of a client that is paused.
 */
final class LaterStore implements Store {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** What is assumed before the store is known: nothing is refused that it might do. */
    private static final Capabilities UNKNOWN = new Capabilities(true, true, true, true, true);

    private record Asked<T>(Function<Store, CompletionStage<T>> request, CompletableFuture<T> answer, long since) {
        void send(Store to) {
            try {
                request.apply(to).whenComplete((value, error) -> {
                    if (error == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(error);
                    }
                });
            } catch (Throwable e) { // a driver may not even find its classes
                answer.completeExceptionally(e);
            }
        }
    }

    /** The client of the store, as far as this class needs it. */
    interface Watcher extends Store.Listener {
        /** Tells that an attempt failed; returns what the store said. */
        StoreException failed(Throwable error);

        /** Tells that the store is there. */
        void connected();
    }

    private final Function<Store.Listener, Store> opener;
    private final Watcher watcher;
    private final Time time;
    private final Threads threads;
    private final BelayOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Asked<?>> asked = new ArrayDeque<>(); // guarded by lock, as all that follows
    private boolean tried;
    private volatile Capabilities assumed = UNKNOWN;
    private @Nullable StoreException failure;
    /** The last failure, also while another attempt goes on. */
    private @Nullable StoreException last;

    private long attempted;
    private long begun;
    private volatile @Nullable Thread connecting;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean closed;
    /** The store, once it is there: what it is like is known before the first answer. */
    private volatile @Nullable Store known;
    /** The same, once those have been served who asked before: from then on requests go to it. */
    private volatile @Nullable Store store;

    /** Makes a store that begins to connect when it is started. */
    LaterStore(
            Function<Store.Listener, Store> opener, Watcher watcher, Time time, Threads threads, BelayOptions options) {
        this.opener = opener;
        this.watcher = watcher;
        this.time = time;
        this.threads = threads;
        this.options = options;
    }

    /** Notes that an attempt was made just now, and why it failed; before the start. */
    void tried(StoreException why) {
        tried = true;
        refuse(why);
    }

    /** Fails whatever is asked before the start, as the client is paused; what the store can do was known before. */
    void pause(Capabilities former) {
        assumed = former;
        refuse(StoreException.unreachable("the client is paused", null));
    }

    private void refuse(StoreException why) {
        failure = why;
        last = why;
        begun = time.nanos();
    }

    /** Begins to connect; where no thread can be started nothing has changed. */
    void start() {
        lock.lock();
        try {
            connecting = threads.start("belay-connect-" + options.clientName(), this::connect);
            attempted = time.nanos();
            begun = attempted;
            failure = tried ? failure : null;
            last = failure;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is done once nothing is connected to any more, after {@link #close}. */
    CompletableFuture<?> ended() {
        return connecting == null ? CompletableFuture.completedFuture(null) : ended;
    }

    boolean isConnected() {
        return known != null;
    }

    private void connect() {
        try {
            if (tried) {
                rest();
            }
            while (begin() && !attempt()) {
                rest();
            }
        } finally {
            ended.complete(null);
        }
    }

    private void rest() {
        long end = time.nanos() + PAUSE;
        for (long left = PAUSE; !closed && left > 0; left = end - time.nanos()) {
            threads.parkNanos(this, left);
        }
    }

    private boolean begin() {
        lock.lock();
        try {
            failure = null;
            attempted = time.nanos();
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean attempt() {
        Store opened = null;
        try {
            opened = Objects.requireNonNull(opener.apply(watcher), "nothing was opened");
            opened.capabilities(); // what it throws, it throws here
            opened.slice();
        } catch (Throwable e) { // a driver may not even find its classes
            fail(watcher.failed(e));
            if (opened != null) {
                Workers.perform(opened::close);
            }
            return false;
        }
        known = opened;
        watcher.connected(); // before anybody has an answer of the store's
        for (Asked<?> next = next(opened); next != null; next = next(opened)) {
            if (isLate(next.since())) {
                next.answer().completeExceptionally(late(next.since())); // who asked has given it up
            } else {
                next.send(opened);
            }
        }
        if (store == null) {
            opened.close(); // the client was closed meanwhile
        }
        return true;
    }

    /** Takes the next of those that wait; after the last, whoever asks goes to the store itself. */
    private @Nullable Asked<?> next(Store opened) {
        lock.lock();
        try {
            Asked<?> next = asked.poll();
            if (next == null && !closed) {
                store = opened;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void fail(StoreException why) {
        List<Asked<?>> failed;
        lock.lock();
        try {
            failure = why;
            last = why;
            failed = new ArrayList<>(asked);
            asked.clear();
        } finally {
            lock.unlock();
        }
        failed.forEach(one -> one.answer().completeExceptionally(why));
    }

    private <T> CompletionStage<T> ask(Function<Store, CompletionStage<T>> request) {
        Store connected = store;
        if (connected == null) {
            Asked<T> one = new Asked<>(request, new CompletableFuture<>(), time.nanos());
            lock.lock();
            try {
                connected = store;
                if (connected == null) {
                    StoreException why = refusal();
                    if (why != null) {
                        return CompletableFuture.failedFuture(why);
                    }
                    asked.add(one);
                    return one.answer();
                }
            } finally {
                lock.unlock();
            }
        }
        return request.apply(connected);
    }

    private @Nullable StoreException refusal() {
        if (closed || failure != null) {
            return failure != null ? failure : StoreException.unreachable("the client was closed", null);
        }
        return known == null && isLate(attempted) ? late(attempted) : null;
    }

    /** Returns the state of a store that is not there yet. */
    StoreHealth health() {
        lock.lock();
        try {
            StoreException why = last;
            Duration since = Duration.ofNanos(time.nanos() - begun);
            String text = why == null ? "it has not answered since connecting to it began" : why.getMessage();
            return new StoreHealth(false, since, Optional.ofNullable(text), Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    private boolean isLate(long since) {
        return time.nanos() - since >= options.requestTimeout().toNanos();
    }

    private StoreException late(long since) {
        long millis = TimeUnit.NANOSECONDS.toMillis(time.nanos() - since);
        return StoreException.unreachable(
                "the store has not answered for " + millis + " ms since connecting to it began", null);
    }

    @Override
    public Capabilities capabilities() {
        Store connected = known;
        return connected == null ? assumed : connected.capabilities();
    }

    @Override
    public Duration slice() {
        Store connected = known;
        return connected == null ? Store.super.slice() : connected.slice();
    }

    @Override
    public int shard(String resource) {
        Store connected = known;
        return connected == null ? Store.super.shard(resource) : connected.shard(resource);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return ask(its -> its.send(request));
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        Store connected = store;
        return connected != null
                ? connected.renew(renewals)
                : renewals.stream().map(this::renew).toList();
    }

    private CompletionStage<Answer> renew(Request.Renew renewal) {
        return ask(its -> its.renew(List.of(renewal)).get(0));
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
        Store connected;
        lock.lock();
        try {
            closed = true;
            connected = store;
        } finally {
            lock.unlock();
        }
        if (connected != null) {
            connected.close();
            return;
        }
        threads.unpark(connecting);
        fail(StoreException.unreachable("the client was closed", null));
    }
}
