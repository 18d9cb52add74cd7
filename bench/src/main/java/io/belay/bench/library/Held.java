package io.belay.bench.library;

/** A lock that was taken. To be used by the thread that took it: some libraries know the holder by it. */
public interface Held {
    void release();

    /** Whether it is held still, as far as the library can tell. */
    boolean isHeld();
}
