package io.belay;

/** What became of a {@linkplain Lease#release() release}. */
public enum Release {
    /** The lock was held until now and is given back. */
    RELEASED,
    /** The lease had been lost before: another may have held the lock meanwhile. */
    ALREADY_LOST,
    /** The store did not answer before the lease ended, so it is not known which. */
    UNKNOWN
}
