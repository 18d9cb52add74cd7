package io.belay;

/** What a simulation has to know of leases that wrap others, and only this package can tell. */
public final class WrappedLeases {
    private WrappedLeases() {}

    /** The lock's lease under a leader's. */
    public static Lease lease(Lease term) {
        return ((ForwardingLease) term).lease();
    }
}
