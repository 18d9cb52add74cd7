package io.belay;

import java.time.Duration;
import java.util.Objects;

/** The checks of durations at the edge, so that no arithmetic behind it can overflow. */
final class Durations {
    private static final Duration LONGEST = Duration.ofDays(365);

    private Durations() {}

    static Duration lease(Duration lease) {
        return between("lease", lease, Duration.ofMillis(100));
    }

    /** Returns a fixed lease if it is long enough for the drift margin, which takes 2 ms of it, and throws otherwise. */
    static Duration fixedLease(Duration lease) {
        return between("fixed lease", lease, Duration.ofMillis(10));
    }

    static Duration positive(String what, Duration duration) {
        return between(what, duration, Duration.ofMillis(1));
    }

    static Duration zeroOrPositive(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        return duration.isZero() ? duration : between(what, duration, "zero, or from ", Duration.ofMillis(1), LONGEST);
    }

    /** Returns the interval if no grant lapses between two requests, the jitter included, and throws otherwise. */
    static Duration polling(Duration interval, double jitter) {
        Objects.requireNonNull(interval, "interval");
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("the polling jitter is " + jitter + ", but must be from 0 to 1");
        }
        between("polling interval", interval, Duration.ofMillis(1));
        if (interval.toNanos() * (1 + jitter) > 1_000_000_000) {
            throw new IllegalArgumentException("polling interval is " + interval + " with a jitter of " + jitter
                    + ", but must not be longer than PT1S with the jitter: a grant that is not noticed lapses");
        }
        return interval;
    }

    static Duration spin(Duration spin) {
        return between("spin", spin, "from ", Duration.ZERO, Duration.ofMillis(10));
    }

    private static Duration between(String what, Duration duration, Duration shortest) {
        return between(what, duration, "from ", shortest, LONGEST);
    }

    private static Duration between(String what, Duration duration, String from, Duration shortest, Duration longest) {
        Objects.requireNonNull(duration, what);
        if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", but must be " + from + shortest + " to " + longest);
        }
        return duration;
    }
}
