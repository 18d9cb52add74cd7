package io.belay.internal.gate;

import java.time.Duration;

/** The check of a duration that a holder gives, so that no arithmetic behind it can overflow. */
final class Limits {
    private static final Duration LONGEST = Duration.ofDays(365);

    private Limits() {}

    /** Returns the duration in nanoseconds if it is not shorter than that, nor longer than a year, and throws otherwise. */
    static long nanos(String what, Duration duration, Duration shortest) {
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", but must be from " + shortest + " to " + LONGEST);
        }
        return duration.toNanos();
    }
}
