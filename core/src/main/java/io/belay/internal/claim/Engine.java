package io.belay.internal.claim;

import io.belay.BelayOptions;
import io.belay.LockStatistics;
import io.belay.RequestKind;
import io.belay.Statistics;
import io.belay.StoreHealth;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.internal.machine.ClientContext;
import io.belay.internal.machine.ClientState;
import io.belay.internal.machine.InFlight;
import io.belay.internal.machine.Known;
import io.belay.internal.machine.Machine;
import io.belay.internal.time.Callbacks;
import io.belay.internal.time.Spin;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Timers;
import io.belay.internal.time.Workers;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.NameRules;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts that all gates and claims of one client share: the store, the clocks, the keeper, and who is who. */
public final class Engine implements Store.Listener, ClientContext {
    private static final Log LOG = Log.of(LogName.CLIENT);

    /** A holder with a shorter fixed lease asks no more often than one with this, in nanoseconds. */
    private static final long LOOK = 30_000_000_000L;

    /** The shortest time from one going through all claims for lost pushes to the next, in nanoseconds: others' may come meanwhile. */
    private static final long AGAIN = 1_000_000_000;

    /** The time after which a leave that has failed is tried again, and a store that has failed is looked at, in nanoseconds. */
    private static final long RETRY = 1_000_000_000;

    private final LongSupplier numbers;
    final StoreOpener opener;
    /** The owner of all claims, but for who of this client it is. */
    private final Owner self;

    public final BelayOptions options;
    public final Time time;
    public final Threads threads;
    public final Callbacks callbacks;
    public final Timers timers;
    public final Renewals renewals;
    private final Polling polling;
    public final Spin spin;
    public final Events events;
    private final StoreSight sight;
    private final long requestTimeout;
    public final KeptClaims kept = new KeptClaims();
    public final Backlog backlog = new Backlog(this);
    final AtomicLong claimNumbers = new AtomicLong();
    /** Whose each claim is, by its number: what concerns a claim is handed to that one. */
    public final ConcurrentHashMap<Long, ClaimOwner> claims = new ConcurrentHashMap<>();

    public final Life life;

    private volatile long number;
    private volatile StoreConnection store;
    /** True once the store has answered by the present connection. */
    private volatile boolean warm;

    /** True where waiters always poll: the user wants it, or the store sends no pushes. */
    private volatile boolean pollsOnly;

    private volatile long slice;
    /** True while waiters poll: an answer has told what a push should have told, and no push has come since. */
    private volatile boolean pushesLost;
    /** The wall clock minus nanoTime at the last run of the timers, in milliseconds, and when that run was. */
    private volatile long wallOffset;

    private volatile long lastRun;
    /** Those who may have callers, whether they have a claim or not. */
    public volatile Collection<? extends ClaimOwner> gates = List.of();

    private final LongAdder lostPushes = new LongAdder();

    /** Lets holders that ask for nothing think again, as pushes do not get through any more. */
    private final Timers.Timer lookers = Timers.Timer.of(() -> stepAll(machine -> {}));

    /** When they do so next, or did last. */
    private volatile long lookAt;

    /** When such a store was looked at last. */
    private volatile long probedAt = Long.MIN_VALUE / 2;

    /**
     * @param numbers draws the client's random number, at first and after each pause
     * @param opener opens the store, with this engine as listener
     */
    public Engine(LongSupplier numbers, BelayOptions options, Time time, Threads threads, StoreOpener opener) {
        this.numbers = numbers;
        this.opener = opener;
        this.options = options;
        self = Owner.of(options.clientName(), LocalHost.NAME, LocalHost.PROCESS, "");
        this.time = time;
        this.threads = threads;
        renewals = new Renewals(this);
        polling = Polling.of(options);
        spin = new Spin(options.spin(), System::nanoTime, Spin.TAKEN_IN_PROCESS);
        timers = new Timers(time, threads, this::afterTimers);
        callbacks = new Callbacks(options, time, threads, timers, this::warn);
        events = new Events(options, time, callbacks);
        requestTimeout = options.requestTimeout().toNanos();
        sight = new StoreSight(time, events, opener instanceof UrlOpener known ? known.name() : "", requestTimeout);
        lastRun = time.nanos();
        lookAt = lastRun;
        wallOffset = time.wallOffset();
        life = new Life(this);
        number = numbers.getAsLong();
        store = new StoreConnection(this, Optional.empty());
        store.connect();
        readStore();
        store.start();
    }

    /** Logs what keeps callbacks waiting, which may happen to each of very many. */
    private void warn(String kind, String text) {
        events.warn(LOG, kind, "", text);
    }

    private void readStore() {
        pollsOnly = options.polling().isPresent() || !store.capabilities().push();
        pushesLost = pollsOnly;
        slice = store.slice().toNanos();
    }

    /** Goes on by what the store is like, which is there now. */
    void connected() {
        readStore();
        sight.answered();
        reconnected();
    }

    @Override
    public long slice() {
        return slice;
    }

    /** Returns what the store can do, and throws as long as nobody knows; see {@link io.belay.BelayAdmin#capabilities()}. */
    public Capabilities knownCapabilities() {
        return store.known()
                .orElseThrow(() ->
                        new StoreUnavailableException("Nobody knows yet what the store can do" + lastFailure(), null));
    }

    /** Returns the client's random number, the first half of all claim ids that it makes until it is paused. */
    public long number() {
        return number;
    }

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    /**
     * Returns for how long a missing answer is not held against the store, in nanoseconds. The first answer of a connection may
     * take as long as a connection: classes are loaded, and the connection is made, before the store hears anything.
     */
    @Override
    public long patience() {
        return warm ? InFlight.SLOW : Math.max(InFlight.SLOW, requestTimeout);
    }

    /** Returns whether the client is paused or closed: nobody holds or waits by it. */
    public boolean isDown() {
        return state().isDown();
    }

    public ClientState state() {
        return life.state.get();
    }

    @Override
    public ClaimId nextClaimId() {
        return ClaimId.of(number, claimNumbers.incrementAndGet());
    }

    @Override
    public long requestTimeout() {
        return requestTimeout;
    }

    /**
     * Returns when to send a renewal: at most by 1/64 of the time earlier that has passed since the last answered request, so that
     * one chunk takes what would otherwise be sent one by one. Each client has instants of its own, since the clients of one
     * machine share their clock and would all send at once.
     */
    @Override
    public long renewTogether(long at, long lastAsked) {
        long step = Long.highestOneBit((at - lastAsked) / 64);
        return at - lastAsked < 64 ? at : at - ((at - number) & (step - 1));
    }

    @Override
    public Owner owner(String thread, String behalf) {
        return self.withThread(thread, behalf);
    }

    /**
     * Returns whether a claim has the client's present number. What a step has made may be sent after a pause; then nobody has the
     * claim any more, and all that may still be said of it is that, or when, it ends. Whoever sends on has looked for the
     * {@linkplain #store() connection} before: if that is overtaken by a pause, it fails.
     */
    public boolean isOwn(ClaimId id) {
        return id.client() == number;
    }

    /** Has the machines of all who have a claim, or callers, take a step; whatever one throws, the others take theirs. */
    void stepAll(Consumer<Machine> event) {
        int unset = timers.unset; // read before: one that is missing from now on may be none of these
        Set<ClaimOwner> owners = new LinkedHashSet<>(claims.values());
        owners.addAll(gates);
        owners.forEach(owner -> Workers.perform(() -> owner.step(event), "A step failed; the others follow"));
        timers.setAgain = unset; // as each has set its own
    }

    /** Returns how many claims and backlogs there are, so that tests see that nothing is left behind. */
    public int size() {
        return claims.size() + backlog.byResource.size();
    }

    /** Calls {@link Store#send}, and turns whatever the store throws into a failed stage. */
    public CompletionStage<Answer> send(Request request) {
        return send(store, request);
    }

    /** Does the same by a connection that was the present one when it was seen {@linkplain #isOwn whose} the claim is. */
    public CompletionStage<Answer> send(Store by, Request request) {
        return sight.send(StoreSight.kind(request), warm, () -> by.send(request));
    }

    /**
     * Sends a request about a claim, unless a pause has ended that: then it is not sent, and never answered. The connection is
     * looked for before it is seen {@linkplain #isOwn whose} the claim is: if a pause comes in between, that connection fails.
     */
    public CompletionStage<Answer> sendOwn(ClaimId id, Request request) {
        Store by = store;
        return isOwn(id) ? send(by, request) : new CompletableFuture<>();
    }

    /**
     * Leaves a claim that no gate has, unless a pause has ended it. If that fails for now, it is tried again after a second, as
     * {@link #leaveLater} says.
     */
    public void leave(String resource, ClaimId id, boolean unclear) {
        sendOwn(id, Request.Leave.of(resource, id, unclear)).whenComplete((answer, error) -> {
            if (error != null && !isRefusal(cause(error))) {
                leaveLater(resource, id, unclear, RETRY);
            }
        });
    }

    /**
     * Leaves such a claim after so many nanoseconds, on a store whose claims end only with their client. Once the client was closed
     * or paused there is nothing to leave: the claim has ended with that.
     */
    public void leaveLater(String resource, ClaimId id, boolean unclear, long nanos) {
        if (!capabilities().expiry() && !isDown() && isOwn(id)) {
            timers.schedule(Timers.Timer.of(() -> leave(resource, id, unclear)), time.nanos() + nanos);
        }
    }

    /** Calls {@link Store#renew}; whatever the store throws fails every stage. */
    List<? extends CompletionStage<Answer>> renew(Store by, List<Request.Renew> chunk) {
        return sight.sendAll(RequestKind.KEEP, warm, chunk.size(), () -> by.renew(chunk));
    }

    public CompletionStage<Store.Snapshot> inspect(String name) {
        return sight.send(RequestKind.LOOK, warm, () -> store.inspect(name));
    }

    public CompletionStage<Store.NamePage> names(String prefix, String cursor) {
        return sight.send(RequestKind.LOOK, warm, () -> store.names(prefix, cursor));
    }

    @Override
    public void pushed(Push push) {
        Objects.requireNonNull(push, "push");
        pushesLost = pollsOnly;
        ClaimOwner owner = claims.get(push.id().number());
        if (owner != null) {
            owner.step(machine -> machine.pushed(push)); // which looks at whose it is
        } else if (push.granted()
                && isOwn(push.id())
                && !kept.contains(push.id().number())) {
            // One of another client's claim, whoever has sent it, must have no effect on that.
            LOG.debug("Leaving {} on '{}', which was granted after it was given up", push.id(), push.resource());
            send(Request.Leave.of(push.resource(), push.id(), false));
        }
    }

    @Override
    public void reconnected() {
        warm = false;
        stepAll(Machine::reconnected);
        renewals.flush(1);
        probe();
    }

    /** Sends a store that has failed a request that changes nothing, as the client may have nothing else to ask: an answer ends the outage. */
    private void probe() {
        long now = time.nanos();
        if (sight.failure().isPresent() && now - probedAt >= RETRY && !isDown()) {
            probedAt = now;
            inspect(NameRules.hidden("", "probe")); // which nobody has
        }
    }

    @Override
    public void missedAPush() {
        if (!pushesLost) {
            long now = time.nanos();
            lookAt = lookAt - now > 0 ? lookAt : Math.max(now, lookAt + AGAIN);
            pushesLost = true; // first, as they may look at once; if that cannot be set all look soon, too
            timers.schedule(lookers, lookAt);
        }
        lostPushes.increment();
    }

    @Override
    public long askNoLaterThan(long wanted, long lastAsked, long lease) {
        long at = lease == 0 ? polling.after(lastAsked) : lastAsked + Math.max(lease, LOOK) / 3;
        return pushesLost && at - wanted < 0 ? at : wanted;
    }

    /** Notes that a request failed, or an attempt to connect, where it is the present connection's; returns what the store said. */
    public StoreException noteFailure(@Nullable Throwable error, boolean present) {
        Throwable cause = error == null ? StoreException.unreachable("no answer", null) : cause(error);
        StoreException told = cause instanceof StoreException known
                ? known
                : StoreException.unreachable(cause.toString(), cause); // a class that is not there tells but its name
        if (present && !isDown()) { // else it is the client that does not let it answer
            sight.failed(String.valueOf(told.getMessage()));
        }
        return told;
    }

    @Override
    public void noteSilence() {
        sight.silent();
    }

    /** Notes that a request was answered which was sent at that instant. */
    public void noteAnswer(long sent) {
        if (!warm) { // to write it at each answer would cost more than to read it
            warm = true;
        }
        sight.answered();
        spin.answered(time.nanos() - sent);
    }

    /** Returns the last failure of the store as the end of a sentence; empty if the last request was answered. */
    @Override
    public String lastFailure() {
        return sight.failure().map(failure -> ": " + failure).orElse("");
    }

    /** Returns the counts of the client, of which the gates have these. */
    public Statistics statistics(Map<String, LockStatistics> locks) {
        return sight.statistics(locks, lostPushes.sum());
    }

    /** Returns whether the store answered its last request. Looks at one that has failed, for the next call. */
    public StoreHealth health() {
        StoreHealth seen = store.absence().orElseGet(sight::health);
        probe();
        return seen;
    }

    /** Asks what a user wants to know, and waits for the answer, for the request timeout at most. */
    public <T> T await(Supplier<CompletionStage<T>> question, String what) {
        long asked = number;
        CompletableFuture<T> future = question.get().toCompletableFuture();
        if (!await(future, requestTimeout())) {
            checkUp(asked, what + " failed: ");
            noteSilence();
            throw new StoreUnavailableException(what + " failed: the store did not answer in time", null);
        }
        try {
            T answer = future.join();
            if (asked == number) { // else it tells of the connection before a pause
                sight.answered();
            }
            return answer;
        } catch (CompletionException e) {
            checkUp(asked, what + " failed: ");
            Throwable cause = cause(e);
            if (!isRefusal(cause)) {
                noteFailure(cause, true);
            }
            throw failure(what + " failed: ", cause);
        }
    }

    /** Asks so, and once more if that fails: a server may have been replaced meanwhile. */
    public <T> T awaitTwice(Supplier<CompletionStage<T>> question, String what) {
        try {
            return await(question, what);
        } catch (StoreUnavailableException e) {
            await(new CompletableFuture<>(), requestTimeout / 4); // a lost connection is away for a while
            return await(question, what);
        }
    }

    /** Throws if the client is paused or closed. */
    public void checkUp(String what) {
        checkUp(number, what);
    }

    /** Throws if the client is paused or closed, or was so since it had that number. */
    private void checkUp(long asked, String what) {
        if (isDown() || asked != number) {
            throw Life.refusal(state().isOver(), what);
        }
    }

    /** Parks until the future is done, or for so many nanoseconds; returns whether it is done. Keeps an interrupt. */
    public boolean await(CompletableFuture<?> future, long atMost) {
        if (future.isDone()) {
            return true;
        }
        Thread waiting = Thread.currentThread();
        future.whenComplete((value, error) -> threads.unpark(waiting));
        boolean interrupted = false;
        long end = time.nanos() + atMost;
        for (long left = atMost; !future.isDone() && left > 0; left = end - time.nanos()) {
            threads.parkNanos(future, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            waiting.interrupt();
        }
        return future.isDone();
    }

    /** Does something if the future is not done after so many nanoseconds; where it is, no timer is left behind. */
    public void limit(CompletableFuture<?> future, long nanos, Runnable over) {
        Timers.Timer limit = Timers.Timer.of(over);
        timers.schedule(limit, time.nanos() + nanos);
        future.whenComplete((value, error) -> timers.cancel(limit));
    }

    public static RuntimeException failure(String prefix, Throwable error) {
        String message = prefix + error.getMessage();
        return isRefusal(error)
                ? new StoreMisconfiguredException(message, error)
                : new StoreUnavailableException(message, error);
    }

    /** Returns whether the same request would fail again: the store answers, and does not let it be. */
    private static boolean isRefusal(Throwable cause) {
        return cause instanceof StoreException e && !e.isTemporary();
    }

    private static Throwable cause(Throwable error) {
        Throwable cause = error;
        while (!(cause instanceof StoreException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    public Store store() {
        return store;
    }

    /** Disconnects; returns what is done when nothing of the connection is left. */
    CompletableFuture<?> disconnect() {
        StoreConnection former = store;
        store = new StoreConnection(this, former.known());
        former.close();
        return former.ended();
    }

    /**
     * Starts everything again that a pause has ended; where no thread can be started, nothing. The client has another number from
     * now on: a checkpoint may go on as two processes, and a store would take the claims of one for those of the other.
     */
    void resume() {
        warm = false;
        try {
            timers.restart();
            number = numbers.getAsLong();
            // By the one that there is none of the former number's claims is to come.
            store = new StoreConnection(this, store.known());
            store.start();
        } catch (Throwable e) {
            timers.stop();
            throw e;
        }
        callbacks.open();
    }

    /** Returns how far the wall clock is ahead of nanoTime, which shows that instant; looks closely if that seems to have changed. */
    public long wallOffset(long now) {
        long offset = time.wallMillis() - now / 1_000_000;
        return offset - wallOffset > 1 ? time.wallOffset() : offset; // a thread that was not scheduled is no suspension
    }

    /** Sends the renewals that came together, notices a suspension of the machine or a jump of its clock, and has timers set; called at each timer run. */
    private void afterTimers() {
        renewals.flush(1);
        long now = time.nanos();
        long offset = time.wallOffset();
        boolean jumped = Math.abs(offset - wallOffset) > Known.drift(now - lastRun);
        wallOffset = offset;
        lastRun = now;
        if (jumped || timers.isOneUnset()) {
            stepAll(Machine::checkIfUnsure);
            renewals.flush(1);
        }
    }
}
