package io.belay.bench.library;

import java.util.concurrent.locks.Lock;

/** One client of a library. */
public interface Locks extends AutoCloseable {
    /** A lock, as it is taken and given back most directly. */
    Mutex mutex(String name);

    /**
     * A lock that its thread may take again.
     *
     * @throws UnsupportedOperationException if the library has none
     */
    default Lock reentrant(String name) {
        throw new UnsupportedOperationException("not reentrant");
    }

    /** The class of which an instance per name would be left if names were not forgotten; empty if none is known. */
    default String traces() {
        return "";
    }

    @Override
    void close();
}
