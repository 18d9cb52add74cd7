package io.belay;

import java.time.Duration;

/** Checks durations at the edge, so that no arithmetic behind it can overflow. */
final class Durations {
    private static final Duration LONGEST = Duration.ofDays(365);

    private Durations() {}

    static Duration lease(Duration lease) {
        return between("lease", lease, Duration.ofMillis(100));
    }

    static Duration positive(String what, Duration duration) {
        return between(what, duration, Duration.ofMillis(1));
    }

    private static Duration between(String what, Duration duration, Duration shortest) {
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + duration + ", but must be from " + shortest + " to " + LONGEST);
        }
        return duration;
    }
}
