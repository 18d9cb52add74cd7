package io.belay.node;

import java.util.concurrent.TimeUnit;

/**
 * A fixed lease, of which the service is not asked again.
 *
 * @param end when it ends, as a {@link System#nanoTime()} that does not stand still
 * @param ahead how far the wall clock was ahead of nanoTime before it was asked for; see {@link Ticks#wallAhead}
 * @param hold its length in microseconds
 */
record FixedLease(long end, long ahead, long hold) {
    /** Its end; nearer where the wall clock has run ahead since by more than two clocks may differ, as in a suspension. */
    long endByNow() {
        long asleep = Ticks.wallAhead() - ahead;
        return asleep > hold / 100_000 + 2 ? end - TimeUnit.MILLISECONDS.toNanos(asleep) : end;
    }
}
