package io.belay.shop.sale;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What a real shop does between reading the stock and writing it back, here a pause. */
@FunctionalInterface
public interface Work {
    void run();

    /** Takes a given time. */
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
