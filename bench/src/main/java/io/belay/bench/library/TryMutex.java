package io.belay.bench.library;

import org.jspecify.annotations.Nullable;

/** A lock that can also be tried without waiting for it. */
public interface TryMutex extends Mutex {
    /** Takes the lock if it is free; returns null if it is not. */
    @Nullable
    Held tryAcquire();
}
