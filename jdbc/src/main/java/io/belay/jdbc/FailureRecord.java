package io.belay.jdbc;

import io.belay.support.Mutex;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The record of a failure, which tells one that may pass, such as a switch-over, from one that stays: by how long it
 * has been seen without a break.
 */
final class FailureRecord {
    private static final long SHORT = Duration.ofSeconds(30).toNanos();
    private static final long BREAK = Duration.ofSeconds(10).toNanos();

    private final Mutex lock = new Mutex();
    private final LongSupplier nanos;
    private boolean seen;
    private long firstAt;
    private long lastAt;

    FailureRecord(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Takes note of the failure, and returns whether it may still pass. */
    boolean mayPass() {
        try (var held = lock.hold()) {
            long now = nanos.getAsLong();
            if (!seen || now - lastAt > BREAK) {
                firstAt = now;
            }
            seen = true;
            lastAt = now;
            return now - firstAt < SHORT;
        }
    }
}
