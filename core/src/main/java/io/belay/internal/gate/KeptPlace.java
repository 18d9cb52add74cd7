package io.belay.internal.gate;

import io.belay.internal.time.Timers;

/**
 * The place in the store's queue of a client that tries for a lock again and again, kept for a moment after a try
 * whose time is over, for the next one. To leave and to enter for each short try would cost a store with many such
 * clients more than all hand-overs, and each try would begin at the end of the queue: at some hundred clients nobody
 * would be served. A client that tries only once has left the queue when it is told so. Guarded by the gate's lock.
 */
final class KeptPlace extends Timers.Timer {
    /** The time within which the next try comes, if there is one, in nanoseconds. */
    private static final long SOON = 50_000_000;

    private final ExclusiveGate gate;
    private final boolean forAll;
    private boolean expected;
    private long until;
    private boolean repeated;

    /** Makes a place that is not kept yet; {@code forAll} says whether later tries come to the same gate. */
    KeptPlace(ExclusiveGate gate, boolean forAll) {
        this.gate = gate;
        this.forAll = forAll;
    }

    /** Expects another try, as one has ended and nobody else waits or holds. */
    void ended(long now) {
        if (!forAll) {
            return;
        }
        expected = true;
        until = now + SOON;
        gate.engine().timers().schedule(this, until);
    }

    /** Notes that a waiter comes: if it was expected, this is a try that follows another. */
    void tried() {
        if (expected) {
            repeated = true;
            cancel();
        }
    }

    /** Returns whether the last try has followed another one. */
    boolean isRepeated() {
        return repeated;
    }

    /** Returns whether the claim stays for the next try. */
    boolean isKept() {
        return expected && repeated;
    }

    /** Returns whether another try is expected. */
    boolean isExpected() {
        return expected;
    }

    /** Expects no try any more, if the time for it is over: the timer has fired. */
    void notTried(long now) {
        if (expected && now - until >= 0) {
            expected = false;
            repeated = false;
        }
    }

    void cancel() {
        if (expected) {
            expected = false;
            gate.engine().timers().cancel(this);
        }
    }

    @Override
    public void fire(long now) {
        gate.noTry(now);
    }
}
