package io.belay.internal.primitive;

import io.belay.Lease;

/** What a simulation has to know of leaders' leases, and only this package can tell. */
public final class Terms {
    private Terms() {}

    /** The lock's lease under a leader's. */
    public static Lease lease(Lease term) {
        return ((LeaderLease) term).lease();
    }
}
