package io.belay.trials.library;

import java.util.List;
import java.util.Optional;

/** A lock library, connected to its store. Thread-safe. */
public interface Library extends AutoCloseable {
    /**
     * Asks for a lock.
     *
     * @return the grant; empty if others had the lock all the while
     * @throws RuntimeException if it is not known
     */
    Optional<Grant> acquire(Ask ask) throws InterruptedException;

    /** Returns whether the library may throw this when it is asked for a lock; other libraries than Belay may throw anything. */
    default boolean mayThrow(Ask ask, RuntimeException thrown) {
        return true;
    }

    /**
     * Asks for several locks at once, without limit of time.
     *
     * @return a grant for each, in the order of the asks
     */
    default List<Grant> acquireAll(List<Ask> asks) throws InterruptedException {
        throw new UnsupportedOperationException("one lock at a time");
    }

    /**
     * Asks for a lock in strict order, without limit of time.
     *
     * @param queued run once it is seen that the ask has its place, unless it is granted before
     */
    default Grant acquireInOrder(Ask ask, Runnable queued) throws InterruptedException {
        throw new UnsupportedOperationException("no order");
    }

    /** Returns whether the library renews what is held; otherwise nobody may hold a lock for longer than a lease. */
    default boolean renews() {
        return true;
    }

    /** Returns whether there are leases of a claim's own: fixed ones, and locks that stay taken after their release. */
    default boolean hasLeasePerClaim() {
        return false;
    }

    @Override
    void close();
}
