package io.belay.bench.library;

/** A client of a library; some are {@link ReentrantLocks}, {@link Semaphores} and {@link ReadWriteLocks}, too. */
public interface Locks extends AutoCloseable {
    /** Returns a lock, as it is taken and given back most directly. */
    Mutex mutex(String name);

    /** Returns the class that would leave an instance per name if names were not forgotten; empty if none is known. */
    default String traces() {
        return "";
    }

    @Override
    void close();
}
