package io.belay.trials.library;

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

    /** Whether it renews what is held; otherwise nobody may hold a lock for longer than a lease. */
    default boolean renews() {
        return true;
    }

    @Override
    void close();
}
