package io.belay.dashboard.web;

import java.util.concurrent.locks.ReentrantLock;

/** Ten wrong tokens a minute and no more, of all who try, so that nobody finds it by trying. Thread-safe. */
final class Attempts {
    private static final int MOST = 10;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private long begun = System.nanoTime();
    private int failures;

    boolean mayTry() {
        lock.lock();
        try {
            if (System.nanoTime() - begun > MINUTE_NANOS) {
                begun = System.nanoTime();
                failures = 0;
            }
            return failures < MOST;
        } finally {
            lock.unlock();
        }
    }

    void failed() {
        lock.lock();
        try {
            failures++;
        } finally {
            lock.unlock();
        }
    }
}
