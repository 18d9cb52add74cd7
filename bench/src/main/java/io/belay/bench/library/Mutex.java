package io.belay.bench.library;

import org.jspecify.annotations.Nullable;

/** One lock of one client. Thread-safe. */
public interface Mutex {
    /**
     * Waits for the lock.
     *
     * @throws IllegalStateException if the library cannot wait and the lock is taken
     */
    Held acquire() throws InterruptedException;

    /** Takes the lock if it is free; null if it is not. */
    @Nullable
    Held tryAcquire();
}
