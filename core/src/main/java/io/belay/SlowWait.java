package io.belay;

import java.util.List;

/**
 * A wait that has lasted for longer than {@link BelayOptions#withSlowWait the threshold} and goes on. Two of them whose
 * waiters hold what the other wants are a deadlock.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface SlowWait {
    /** Returns who waits, for what, and how long so far. */
    OwnWait waiter();

    /** Returns the claims of all clients on that lock, holders first; empty if the store did not tell in time. */
    List<Inspection.Claim> ahead();

    /** Returns what the same thread holds in this client; of a future, what futures on the same one's behalf hold, if it has one. */
    List<OwnHold> holds();
}
