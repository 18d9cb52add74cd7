package io.belay.bench.library;

/** A lock of one client. Thread-safe. */
public interface Mutex {
    /**
     * Waits for the lock.
     *
     * @throws IllegalStateException if the library cannot wait and the lock is taken
     */
    Held acquire() throws InterruptedException;
}
