package io.belay.support;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock of this process that a {@code try} holds: {@code try (var held = lock.hold()) { ... }}. The engine has the JDK's in its
 * place, as each call on the way to a lock counts there.
 */
public final class Mutex implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();

    /** Takes the lock until the end of the {@code try}; a thread that has it already takes it once more. */
    public Mutex hold() {
        lock.lock();
        return this;
    }

    @Override
    public void close() {
        lock.unlock();
    }

    /** Returns a condition that is waited for while the lock is held. */
    public Condition newCondition() {
        return lock.newCondition();
    }
}
