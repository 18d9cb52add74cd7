package io.belay.bench.library;

/** One client of a library; {@link ReentrantLocks}, {@link Semaphores} and {@link ReadWriteLocks} are what some have besides. */
public interface Locks extends AutoCloseable {
    /** A lock, as it is taken and given back most directly. */
    Mutex mutex(String name);

    /** The class of which an instance per name would be left if names were not forgotten; empty if none is known. */
    default String traces() {
        return "";
    }

    @Override
    void close();
}
