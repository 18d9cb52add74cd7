package io.belay.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the steps of a gate and its claims one at a time, and what they decided to send or to tell afterwards, in the
 * order in which it was decided but outside the lock: whoever finds nobody at it empties the outbox, the others only
 * add. So a store that answers inside the call meets no lock that its caller holds, and no answer nests in another.
 */
final class Exclusive {
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> outbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger flushes = new AtomicInteger();

    /** Runs a step, which must not block, and then whatever is to follow. */
    void run(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
            flush();
        }
    }

    /** Inside a step: what is to follow it. */
    void later(Runnable action) {
        outbox.add(action);
    }

    private void flush() {
        if (outbox.isEmpty() || flushes.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Runnable action = outbox.poll(); action != null; action = outbox.poll()) {
                action.run();
            }
            seen = flushes.addAndGet(-seen);
        } while (seen != 0);
    }
}
