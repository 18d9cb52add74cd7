package io.belay.spring;

import io.belay.Lease;
import java.util.List;

/**
 * The leases of the {@link Locked} method that the calling thread runs, for its fencing token and for what is left of it. Those of a
 * reactive method, or of one that Kotlin suspends, are its subscriber's and no thread's, and are not found here. A method
 * whose lease is given back here fails at its end, as it is not held; that of a {@link LeaderOnly} one ends the lead, and this process
 * is a candidate again, behind the others.
 */
public final class CurrentLease {
    private CurrentLease() {}

    /**
     * Returns the lease.
     *
     * @throws IllegalStateException if the thread runs no method with a lock, or one with several
     */
    public static Lease get() {
        List<Lease> leases = all();
        if (leases.size() != 1) {
            throw new IllegalStateException("the method that the thread runs holds " + leases.size()
                    + " locks by @Locked, and not one"
                    + (leases.isEmpty()
                            ? ": those of a reactive or suspending one are its subscriber's, so put @Locked on a method"
                                    + " that blocks, or returns a future, and ask for the lease there before it returns"
                            : ""));
        }
        return leases.get(0);
    }

    /** Returns the leases of the innermost such method; empty if the thread runs none. */
    public static List<Lease> all() {
        HeldLocks held = HeldLocks.innermost();
        return held == null ? List.of() : held.leases();
    }
}
