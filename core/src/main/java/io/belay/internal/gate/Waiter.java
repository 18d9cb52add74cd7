package io.belay.internal.gate;

import io.belay.Release;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.time.Timers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A thread or a future that waits at a {@link Gate}: a link of its queue. All but {@link #outcome} is guarded by the
 * gate's lock. Its timer fires when the waiter has waited long enough, or nearly so.
 */
public abstract class Waiter extends Timers.Timer {
    final Gate gate;
    final Request request;

    @Nullable
    Waiter before;

    @Nullable
    Waiter after;

    /** The queue in which the waiter waits; null once it does not. */
    @Nullable
    WaiterQueue queue;

    /** The claim that was entered on this waiter's behalf, as it was the first to wait. */
    volatile @Nullable LiveClaim entered;

    /** The claim whose answer the waiter still waits for though its time is over; null before. Guarded by the gate's lock. */
    @Nullable
    LiveClaim due;

    /** How the wait ends if the lock is not had in time. Guarded by the gate's lock. */
    Outcome without = Outcome.NOT_HAD;

    /**
     * The leave of a claim that nobody wants since this waiter's time was over; done when the claim has left the
     * store. Guarded by the gate's lock.
     */
    CompletableFuture<Release> left = Gate.RELEASED;

    /**
     * The instant at which the waiter was queued; 0 for one that got the lock, or was refused it, without a wait. A thread
     * that waits for another one of its client sets it before it parks: to read the clock for each that need not park would
     * cost more than all other counting.
     */
    volatile long queuedAt;

    /** Why the store does not answer, as the end of a sentence, when that was told last; empty if it does. */
    String failure = "";

    /** How often it was told that the wait is slow. Written under the gate's lock. */
    int told;

    private long deadline;
    private boolean timed;

    /** The outcome; null while the waiter waits. */
    private volatile @Nullable Outcome outcome;

    /**
     * The things that a waiter asks for.
     *
     * @param ifFree whether the waiter wants the lock at once or not at all
     * @param maxHold the longest hold in nanoseconds, or {@link Long#MAX_VALUE}
     * @param atLeast for how long the lock stays taken at least, in nanoseconds
     * @param highestToken of the lock object that the waiter came through
     * @param thread the thread that asked
     * @param behalf on whose behalf; empty if nobody is named
     */
    public record Request(
            boolean ifFree, long maxHold, long atLeast, HighestToken highestToken, Thread thread, String behalf) {}

    Waiter(Gate gate, Request request) {
        this.gate = gate;
        this.request = request;
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    /** Ends the wait. Called once, under the gate's lock; {@link #wake} follows outside it. */
    void end(Outcome result) {
        outcome = result;
    }

    /** Returns whether nobody may come before this waiter, as it could use the lock at once. Under the gate's lock. */
    boolean isAwake() {
        return true;
    }

    /** Returns whether the waiter notes by itself when it begins to wait, if it does. Under the gate's lock. */
    boolean notesItsWait() {
        return false;
    }

    /** Returns for how long the waiter has waited, in nanoseconds. */
    long waited(long now) {
        long since = queuedAt;
        return since == 0 ? 0 : Math.max(0, now - since);
    }

    /** Tells the waiter that the lock is free for it; returns whether to wake it up. Under the gate's lock. */
    boolean invite() {
        return false;
    }

    /** Notes that the waiter runs. Under the gate's lock. */
    void awake() {}

    /** Returns whether to wake whoever waits; false for a thread that is taking this very step and looks after it. */
    boolean mayBeParked() {
        return true;
    }

    /** Wakes whoever waits, for an outcome or an invitation. Called without the lock. */
    abstract void wake();

    /** Limits the wait to so many nanoseconds. Under the gate's lock. */
    void waitFor(long wait) {
        timed = true;
        long now = gate.engine().time().nanos();
        deadline = now + wait;
        long ask = request.ifFree() ? 0 : Math.min(wait / 4, gate.engine().requestTimeoutNanos());
        gate.engine().timers().schedule(this, deadline - ask);
    }

    /** Cancels the timer, if there is one. Under the gate's lock. */
    void cancelTimer() {
        if (timed) {
            gate.engine().timers().cancel(this);
        }
    }

    @Override
    public void fire(long now) {
        if (now - deadline >= 0) {
            gate.timedOut(this, now);
        } else {
            gate.askBefore(this, deadline);
        }
    }
}
