package io.belay.etcd;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The lines of the log about members that are silent: one in ten seconds at most, which says how many were left out. A member
 * that is stopped takes connections, and so is found silent once in each timeout. For one thread at a time.
 */
final class SilenceLines {
    private static final long AGAIN = Duration.ofSeconds(10).toNanos();

    private final Duration timeout;
    private final LongSupplier nanos;
    private boolean said;
    private long saidAt;
    private int leftOut;

    SilenceLines(Duration timeout, LongSupplier nanos) {
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /** Returns the line to log, unless one was logged a moment ago. */
    Optional<String> next(Set<?> members) {
        long now = nanos.getAsLong();
        if (said && now - saidAt < AGAIN) {
            leftOut++;
            return Optional.empty();
        }
        String more = leftOut == 0 ? "" : " (and " + leftOut + " more like this since the last such line)";
        said = true;
        saidAt = now;
        leftOut = 0;
        return Optional.of("Nothing has come from " + members + " for " + timeout.toMillis()
                + " ms: connecting to etcd anew" + more);
    }
}
