package io.belay.bench.library;

import org.jspecify.annotations.Nullable;

/** One that need not be waited for. */
public interface TryMutex extends Mutex {
    /** Takes the lock if it is free; null if it is not. */
    @Nullable
    Held tryAcquire();
}
