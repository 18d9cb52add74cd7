package io.belay.shop.sale;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The work of a real shop between reading the stock and writing it back, here a pause. */
@FunctionalInterface
public interface Work {
    void run();

    /** Returns work that takes a given time. */
    static Work of(Duration time) {
        long nanos = time.toNanos();
        return () -> {
            long end = System.nanoTime() + nanos;
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        };
    }
}
