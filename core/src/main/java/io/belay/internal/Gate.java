package io.belay.internal;

import io.belay.ClaimRefusedException;
import io.belay.ClosedException;
import io.belay.LeaseLostException;
import io.belay.Release;
import io.belay.StoreUnavailableException;
import io.belay.internal.Belief.Phase;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where everybody in this client who wants one lock queues: the gate enters one claim on the store and hands its grant
 * from waiter to waiter, which costs no network (lock cohorting: Dice, Marathe and Shavit, 2012). After a time slice it
 * yields, so that other clients get their turn. An acquisition in strict order or with a fixed lease has a gate, and so
 * a claim, to itself.
 *
 * <p>All state is guarded by one lock that is never held while anything is sent or anybody is called; what is to follow
 * goes to the outbox. A gate that nobody uses retires: it is not found any more and leaves nothing behind.
 */
final class Gate implements LiveClaim.Owner {
    /** A token is the sequence times this, plus the number of local hand-offs within the sequence. */
    static final int TOKENS_PER_SEQUENCE = 1024;

    /** After so many hand-offs a fresh sequence is asked for, without stopping. */
    private static final int REFRESH_AT = TOKENS_PER_SEQUENCE / 2;

    /**
     * What gates are found by.
     *
     * @param name the lock's full name
     * @param lease the lease that is renewed, in microseconds
     * @param slice the time slice, in nanoseconds
     */
    record Key(String name, long lease, long slice) {}

    private static final CompletableFuture<Release> RELEASED = CompletableFuture.completedFuture(Release.RELEASED);
    private static final CompletableFuture<Release> ALREADY_LOST =
            CompletableFuture.completedFuture(Release.ALREADY_LOST);

    private final Engine engine;
    private final Key key;
    private final long fixedLease;
    private final boolean shared;
    private final ReentrantLock lock = new ReentrantLock();
    private final Outbox outbox = new Outbox();
    private final WaiterQueue queue = new WaiterQueue();
    private @Nullable LiveClaim claim;
    private @Nullable Hold holder;
    private long sliceStart;
    private int handOffs;
    private boolean retired;
    private final Waiter.Failure closed = () ->
            new ClosedException("The client was closed, so the lock '" + name() + "' cannot be had from it", null);

    private Gate(Engine engine, Key key, long fixedLease, boolean shared) {
        this.engine = engine;
        this.key = key;
        this.fixedLease = fixedLease;
        this.shared = shared;
    }

    /** A gate for all callers of a lock that are content with the order of their turns. */
    static Gate shared(Engine engine, Key key) {
        return new Gate(engine, key, 0, true);
    }

    /** A gate for one acquisition, with a fixed lease in microseconds or 0. */
    static Gate alone(Engine engine, Key key, long fixedLease) {
        return new Gate(engine, key, fixedLease, false);
    }

    Engine engine() {
        return engine;
    }

    String name() {
        return key.name();
    }

    /** Queues the waiter, for at most that many nanoseconds. False if the gate has retired: find another. */
    boolean enter(Waiter waiter, long wait) {
        lock.lock();
        try {
            if (retired) {
                return false;
            }
            if (engine.isClosed()) {
                end(waiter, closed);
                retireIfIdle();
            } else if (waiter.request.ifFree() && (claim != null || !queue.isEmpty())) {
                end(waiter, Waiter.NOT_HAD);
            } else {
                queue.add(waiter);
                if (wait != Long.MAX_VALUE) {
                    engine.timers().schedule(waiter, engine.time().nanos() + wait);
                }
                if (claim == null) {
                    enterClaim();
                }
            }
        } finally {
            lock.unlock();
        }
        outbox.flush();
        return true;
    }

    private void enterClaim() {
        boolean ifFree = queue.first().request.ifFree();
        LiveClaim entered = new LiveClaim(
                engine,
                key.name(),
                new LiveClaim.Terms(Resource.WHOLE, Resource.WHOLE, key.lease(), fixedLease, ifFree),
                this,
                lock,
                outbox);
        claim = entered;
        entered.enter();
    }

    @Override
    public int localWaiters() {
        return holder == null ? Math.max(0, queue.size() - 1) : queue.size();
    }

    @Override
    public void changed(LiveClaim changed, Belief before, long now) {
        if (changed != claim) {
            return;
        }
        Belief belief = changed.belief();
        switch (belief.phase()) {
            case HELD -> granted(before, belief, now);
            case LOST -> {
                claim = null;
                lose(String.valueOf(belief.reason()), now);
                goOn();
            }
            case GONE -> {
                claim = null;
                goOn();
            }
            case BUSY -> {
                claim = null;
                for (Waiter w = queue.poll(Waiter.Request::ifFree); w != null; w = queue.poll(Waiter.Request::ifFree)) {
                    end(w, Waiter.NOT_HAD);
                }
                goOn();
            }
            case REFUSED -> {
                claim = null;
                String refusal = "The lock '" + name() + "' was refused: " + belief.reason();
                failAll(() -> new ClaimRefusedException(refusal, null));
                goOn();
            }
            default -> {}
        }
    }

    private void granted(Belief before, Belief belief, long now) {
        if (before.phase() != Phase.HELD) {
            sliceStart = now;
        }
        if (before.phase() != Phase.HELD || before.sequence() != belief.sequence()) {
            handOffs = 0;
        }
        if (holder == null) {
            handOn(now);
        }
    }

    /** Gives the held claim to the next waiter, unless too little of the lease is left: then it is renewed first. */
    private void handOn(long now) {
        LiveClaim held = claim;
        if (engine.isClosed()) {
            failAll(closed);
        }
        if (held == null || queue.isEmpty()) {
            goOn();
            return;
        }
        Belief belief = held.belief();
        boolean pickedUp = !belief.fixed() || belief.confirmed();
        if (!pickedUp || belief.until() - now < shortestHold() || held.isUnsure()) {
            held.ask();
            return;
        }
        Waiter next = queue.poll();
        long token = Math.multiplyExact(belief.sequence(), TOKENS_PER_SEQUENCE) + handOffs;
        long seen = next.request.lock().raiseToken(token);
        if (seen >= token) {
            String refusal = "The store went back: the lock '" + name() + "' was granted with the token " + token
                    + " after " + seen + ". Was a backup restored, or a replica promoted that lags?"
                    + " Reset the guards before going on";
            fail(next, () -> new ClaimRefusedException(refusal, null));
            goOn();
            return;
        }
        if (++handOffs == REFRESH_AT) {
            held.refresh();
        }
        Hold hold = new Hold(this, held, token, next.request, now);
        holder = hold;
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().schedule(hold, hold.limit);
        }
        end(next, hold);
    }

    /** A grant with less left of it is renewed before it is handed on. */
    private long shortestHold() {
        return Math.min(key.lease(), fixedLease == 0 ? Long.MAX_VALUE : fixedLease) * 1000 / 20;
    }

    /** Nobody holds: enters again if somebody waits, else leaves the store and retires. */
    private void goOn() {
        if (claim == null && !queue.isEmpty()) {
            enterClaim();
        } else if (queue.isEmpty() && holder == null) {
            leave(null);
        } else if (claim != null && holder == null && claim.belief().phase() == Phase.HELD) {
            claim.yield();
        }
    }

    private void leave(@Nullable Consumer<Release> outcome) {
        if (claim != null) {
            claim.leave(outcome);
            claim = null;
        }
        retireIfIdle();
    }

    private void retireIfIdle() {
        if (claim == null && holder == null && queue.isEmpty()) {
            retired = true;
            if (shared) {
                engine.retire(key, this);
            }
        }
    }

    /** Begins to give a hold back; what became of it is then told to the hold. */
    void release(Hold hold) {
        lock.lock();
        try {
            if (hold.isGivenBack()) {
                return;
            }
            long now = engine.time().nanos();
            notice(hold, now);
            if (holder != hold) {
                hold.giveBack(ALREADY_LOST);
                return;
            }
            LiveClaim held = hold.claim();
            endHold(hold);
            if (queue.isEmpty()) {
                CompletableFuture<Release> outcome = new CompletableFuture<>();
                hold.giveBack(outcome);
                leave(outcome::complete);
                return;
            }
            hold.giveBack(RELEASED);
            if (now - sliceStart >= key.slice() || handOffs == TOKENS_PER_SEQUENCE) {
                held.yield();
            } else {
                handOn(now);
            }
        } finally {
            lock.unlock();
            outbox.flush();
        }
    }

    private void endHold(Hold hold) {
        holder = null;
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().cancel(hold);
        }
    }

    /** Makes a loss final that the clock shows, before anybody is told of it. */
    void notice(Hold hold) {
        lock.lock();
        try {
            notice(hold, engine.time().nanos());
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    private void notice(Hold hold, long now) {
        if (holder != hold) {
            return;
        }
        hold.claim().expire(now);
        if (holder == hold && hold.limit != Long.MAX_VALUE && now - hold.limit >= 0) {
            lose("it was held for longer than its maxHold", now);
            leaveAndGoOn();
        }
    }

    private void leaveAndGoOn() {
        if (claim != null) {
            claim.leave(null);
            claim = null;
        }
        goOn();
    }

    private void lose(String why, long now) {
        Hold lost = holder;
        if (lost != null) {
            endHold(lost);
            lost.lose(new LeaseLostException(
                    "Lost the lock '" + name() + "' (token " + lost.token() + ", acquired "
                            + (now - lost.acquired) / 1_000_000 + " ms ago): " + why,
                    null));
            outbox.add(lost::tellLoss);
        }
    }

    /** Asks the store how an unsure claim stands. */
    void ask(Hold hold) {
        lock.lock();
        try {
            if (holder == hold) {
                hold.claim().ask();
            }
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    void listen(Hold hold, Consumer<? super LeaseLostException> listener) {
        boolean lost;
        lock.lock();
        try {
            lost = hold.add(listener);
        } finally {
            lock.unlock();
        }
        LeaseLostException reason = hold.loss();
        if (lost && reason != null) {
            engine.callback(() -> Hold.call(listener, reason), () -> {});
        }
    }

    /** The waiter has waited long enough. */
    void timedOut(Waiter waiter) {
        lock.lock();
        try {
            if (queue.remove(waiter)) {
                end(waiter, isUnknown(waiter) ? unavailable() : Waiter.NOT_HAD);
                leaveIfUnwanted();
            }
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    private boolean isUnknown(Waiter waiter) {
        return waiter.request.ifFree() || (holder == null && claim != null && claim.isOutOfTouch());
    }

    private Waiter.Failure unavailable() {
        String message = "The store did not answer in time, so it is not known who has the lock '" + name() + "'"
                + engine.lastFailure();
        return () -> new StoreUnavailableException(message, null);
    }

    /** Takes the waiter out of the queue. Null, or its outcome if there was one first. */
    @Nullable
    Object giveUp(Waiter waiter) {
        lock.lock();
        try {
            if (!queue.remove(waiter)) {
                return waiter.outcome();
            }
            engine.timers().cancel(waiter);
            leaveIfUnwanted();
        } finally {
            lock.unlock();
        }
        outbox.flush();
        return null;
    }

    private void leaveIfUnwanted() {
        if (queue.isEmpty() && holder == null) {
            leave(null);
        }
    }

    private void end(Waiter waiter, Object outcome) {
        engine.timers().cancel(waiter);
        waiter.end(outcome);
        outbox.add(waiter::wake);
    }

    private void fail(Waiter waiter, Waiter.Failure failure) {
        end(waiter, failure);
    }

    private void failAll(Waiter.Failure failure) {
        while (!queue.isEmpty()) {
            fail(queue.poll(), failure);
        }
    }

    /** Fails those who wait and gives back what is held. */
    @Override
    public void close() {
        lock.lock();
        try {
            failAll(closed);
            Hold held = holder;
            if (held != null) {
                endHold(held);
                held.giveBack(RELEASED);
            }
            leave(null);
        } finally {
            lock.unlock();
        }
        outbox.flush();
    }

    /** The id of the store's claim and the thread that holds the lock now, to be shown by {@code inspect}. */
    @Nullable
    Glimpse glimpse() {
        lock.lock();
        try {
            Hold held = holder;
            return claim == null
                    ? null
                    : new Glimpse(
                            claim.id(), held == null ? null : held.thread().getName(), localWaiters());
        } finally {
            lock.unlock();
        }
    }

    /**
     * What this client knows of its own claim.
     *
     * @param id the claim
     * @param thread the thread that holds the lock now, or null
     * @param localWaiters how many wait behind it here
     */
    record Glimpse(ClaimId id, @Nullable String thread, int localWaiters) {}
}
