package io.belay.dashboard.web;

import io.belay.support.Mutex;
import java.security.MessageDigest;

/**
 * Ten wrong tokens a minute and no more, of all who try, so that nobody finds it by trying. Who shows the same one again finds nothing:
 * that is a program with an old token, which must not keep all others out. Thread-safe.
 */
final class Attempts {
    private static final int MOST = 10;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final Mutex lock = new Mutex();
    private long begun = System.nanoTime();
    private int failures;
    private byte[] last = {};

    boolean mayTry() {
        try (var held = lock.hold()) {
            if (System.nanoTime() - begun > MINUTE_NANOS) {
                begun = System.nanoTime();
                failures = 0;
            }
            return failures < MOST;
        }
    }

    void failed(byte[] wrong) {
        try (var held = lock.hold()) {
            if (!MessageDigest.isEqual(wrong, last)) {
                failures++;
                last = wrong;
            }
        }
    }
}
