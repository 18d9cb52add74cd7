package io.belay.recipes;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The times that a wait for several locks began anew, as one was lost before the last was had: each after a longer pause, and
 * with a line now and then, so that nobody asks at full speed and without a word for what cannot be had. For one wait, by one
 * thread at a time.
 */
final class Restarts {
    private static final Log LOG = Log.of(LogName.WAITS);

    /** The first pause, in nanoseconds; twice as long after each further restart, up to the longest. */
    private static final long FIRST = 20_000_000;

    private static final long LONGEST = 1_000_000_000;

    /** The least time between two lines, in nanoseconds. */
    private static final long AGAIN = 10_000_000_000L;

    private final String name;
    private final LongSupplier clock;
    private final Consumer<String> log;
    private int count;
    private long told;

    Restarts(String name) {
        this(name, System::nanoTime, line -> LOG.warn("{}", line));
    }

    Restarts(String name, LongSupplier clock, Consumer<String> log) {
        this.name = name;
        this.clock = clock;
        this.log = log;
    }

    /** Notes one, and why it came to that; returns for how long to wait before, in nanoseconds. */
    long next(String loss) {
        long now = clock.getAsLong();
        int before = count++;
        if (before == 0 || now - told >= AGAIN) {
            told = now;
            log.accept(
                    "Of the locks '" + name + "' one was lost before the last was had, so all are taken anew, for the "
                            + count + ". time: " + loss);
        }
        return Math.min(LONGEST, FIRST << Math.min(before, 10));
    }
}
