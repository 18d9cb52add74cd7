package io.belay.bench.library;

/** A lock that was taken. Only the thread that took it may use it: some libraries know the holder by the thread. */
public interface Held {
    void release();

    /** Returns whether the lock is still held, as far as the library can tell. */
    boolean isHeld();
}
