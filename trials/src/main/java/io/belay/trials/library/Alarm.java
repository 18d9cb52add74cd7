package io.belay.trials.library;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Interrupts the thread that set it, unless that has closed it before; afterwards it is not interrupted. */
final class Alarm implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private boolean closed;

    private Alarm() {}

    static Alarm in(Duration time) {
        Alarm alarm = new Alarm();
        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(alarm::ring);
        return alarm;
    }

    private synchronized void ring() {
        if (!closed) {
            thread.interrupt();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        Thread.interrupted();
    }
}
