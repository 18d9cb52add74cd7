package io.belay.dashboard.web;

import java.security.MessageDigest;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ten wrong tokens a minute and no more, of all who try, so that nobody finds it by trying. Who shows the same one again finds nothing:
 * that is a program with an old token, which must not keep all others out. Thread-safe.
 */
final class Attempts {
    private static final int MOST = 10;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private long begun = System.nanoTime();
    private int failures;
    private byte[] last = {};

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

    void failed(byte[] wrong) {
        lock.lock();
        try {
            if (!MessageDigest.isEqual(wrong, last)) {
                failures++;
                last = wrong;
            }
        } finally {
            lock.unlock();
        }
    }
}
