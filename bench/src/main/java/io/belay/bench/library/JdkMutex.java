package io.belay.bench.library;

import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A lock of a library that has it as a {@link Lock}. */
final class JdkMutex implements TryMutex, Held {
    private final Lock lock;
    private final BooleanSupplier held;

    JdkMutex(Lock lock, BooleanSupplier held) {
        this.lock = lock;
        this.held = held;
    }

    @Override
    @SuppressWarnings("LockNotBeforeTry") // released by whoever gets it
    public Held acquire() {
        lock.lock();
        return this;
    }

    @Override
    public @Nullable Held tryAcquire() {
        return lock.tryLock() ? this : null;
    }

    @Override
    public void release() {
        lock.unlock();
    }

    @Override
    public boolean isHeld() {
        return held.getAsBoolean();
    }
}
