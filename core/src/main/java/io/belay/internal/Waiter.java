package io.belay.internal;

import io.belay.Release;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits at a {@link Gate}: a link of its queue. All but {@link #outcome} is guarded by the gate's lock. Its
 * timer fires when it has waited long enough.
 */
abstract class Waiter extends Timers.Timer {
    /** What {@link #outcome} is when the lock was not had in time because others had it. */
    static final Object NOT_HAD = new Object();

    /** What {@link #outcome} is when the wait failed: makes the exception where it is thrown. */
    interface Failure extends Supplier<RuntimeException> {}

    final Gate gate;
    final Request request;

    @Nullable
    Waiter before;

    @Nullable
    Waiter after;

    /** Where it waits. */
    @Nullable
    WaiterQueue queue;

    /** The claim that was entered on its behalf, as it was the first to wait. */
    volatile @Nullable LiveClaim entered;

    /** Done when the claim has left the store that nobody wants since this waiter's time was over. Under the gate's lock. */
    CompletableFuture<Release> left = Gate.RELEASED;

    private long deadline;
    private boolean timed;

    /** Null while it waits, then a {@link Hold}, {@link #NOT_HAD} or a {@link Failure}. */
    private volatile @Nullable Object outcome;

    /**
     * What a waiter asks for.
     *
     * @param ifFree whether it wants the lock at once or not at all
     * @param maxHold the longest hold in nanoseconds, or {@link Long#MAX_VALUE}
     * @param lock the lock object that it came through
     * @param thread the thread that asked
     */
    record Request(boolean ifFree, long maxHold, Lock lock, Thread thread) {}

    Waiter(Gate gate, Request request) {
        this.gate = gate;
        this.request = request;
    }

    @Nullable
    Object outcome() {
        return outcome;
    }

    /** Ends the wait. Called once, under the gate's lock; {@link #wake} follows outside it. */
    void end(Object result) {
        outcome = result;
    }

    /** Whether nobody may come before it, because it could use the lock at once. Under the gate's lock. */
    boolean isAwake() {
        return true;
    }

    /** Under the gate's lock: the lock is free for it; whether it is to be woken up for that. */
    boolean invite() {
        return false;
    }

    /** Under the gate's lock: it runs. */
    void awake() {}

    /** Tells whoever waits that there is an outcome. Called without the lock. */
    abstract void wake();

    /** Under the gate's lock: limits the wait, in nanoseconds. */
    void waitFor(long wait) {
        timed = true;
        long now = gate.engine().time().nanos();
        deadline = now + wait;
        long ask = request.ifFree() ? 0 : Math.min(wait / 4, gate.engine().requestTimeoutNanos());
        gate.engine().timers().schedule(this, deadline - ask);
    }

    /** Under the gate's lock. */
    void cancelTimer() {
        if (timed) {
            gate.engine().timers().cancel(this);
        }
    }

    @Override
    void fire(long now) {
        if (now - deadline >= 0) {
            gate.timedOut(this, now);
        } else {
            gate.askBefore(this, deadline);
        }
    }
}
