package io.belay.internal.gate;

import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many waits lasted for how long, in steps. Those of a millisecond at most, which is what there is of a lock that is free, are not
 * counted but are what is left: a gate that nobody waits at has no room for the steps. Guarded by whose it is.
 */
final class WaitSteps {
    private static final long MILLI = 1_000_000;

    /** The steps in milliseconds; what is longer than the last has one of its own. */
    private static final int[] MILLIS = {
        1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000
    };

    /** How many lasted longer than the step of that number, and no longer than the next; null while none did. */
    private long @Nullable [] longer;

    /** Counts a wait. */
    void add(long nanos) {
        if (nanos <= MILLI) {
            return;
        }
        int step = 0;
        while (step + 1 < MILLIS.length && nanos > MILLIS[step + 1] * MILLI) {
            step++;
        }
        counts()[step]++;
    }

    /** Adds what others have counted, and forgets it there. */
    void take(WaitSteps other) {
        if (other.longer != null) {
            long[] counts = counts();
            for (int i = 0; i < counts.length; i++) {
                counts[i] += other.longer[i];
            }
            other.longer = null;
        }
    }

    /** Returns how many of all lasted at most so long. */
    SortedMap<Duration, Long> within(long all) {
        SortedMap<Duration, Long> within = new TreeMap<>();
        long left = all;
        for (int i = MILLIS.length - 1; i >= 0; i--) {
            left -= longer == null ? 0 : longer[i];
            within.put(Duration.ofMillis(MILLIS[i]), left);
        }
        return within;
    }

    private long[] counts() {
        if (longer == null) {
            longer = new long[MILLIS.length];
        }
        return longer;
    }
}
