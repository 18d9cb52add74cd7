package io.belay.quorum;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A queue that runs steps one after the other, each on the thread that brings it, or on the one that is at it
 * already. A step that brings another is ended first. No thread ever waits here.
 */
final class Loop {
    private static final Log LOG = Log.of(LogName.STORE);

    private final ConcurrentLinkedQueue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();

    void run(Runnable step) {
        steps.add(step);
        if (pending.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = steps.poll();
            try {
                if (next != null) {
                    next.run();
                }
            } catch (Throwable e) { // no memory, for instance: that may be over with the next step
                LOG.error("A step of the quorum failed; the others go on", e);
            }
        } while (pending.decrementAndGet() > 0);
    }
}
