package io.belay;

/** The outcome of a {@linkplain Lease#release() release}. */
public enum ReleaseOutcome {
    /**
     * The lock was held until now and is given back. Where another waiter of the same client takes over, the store is
     * not asked: then the lock was held as far as this client knew.
     */
    RELEASED,
    /** The lease had been lost before: another may have held the lock meanwhile. */
    ALREADY_LOST,
    /** The store did not answer in time, or is a Redis that was replaced by one that cannot know: either may be so. */
    UNKNOWN
}
