package io.belay.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends to the store in the order in which things were decided, but outside the lock under which they were: whoever
 * finds the outbox idle empties it, others only add. A store that answers inside the call so meets no lock that its
 * caller holds, and no answer nests in another.
 */
final class Outbox {
    private final ConcurrentLinkedQueue<Runnable> sends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();

    void add(Runnable send) {
        sends.add(send);
    }

    /** Sends what was added. To be called without any lock. */
    void flush() {
        if (sends.isEmpty() || pending.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Runnable send = sends.poll(); send != null; send = sends.poll()) {
                send.run();
            }
            seen = pending.addAndGet(-seen);
        } while (seen != 0);
    }
}
