package io.belay.tck;

import java.util.concurrent.TimeUnit;

/**
 * The time for which two race each other, each to be the first who does something. A busy machine may run them one
 * after the other for all of it: who looks for a mistake races them again, until the mistake is found.
 */
final class Race {
    /** The number of races, one after the other. */
    static final String ROUNDS = "belay.races";

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    private Race() {}

    static int rounds() {
        return Integer.getInteger(ROUNDS, 1);
    }

    /** Returns when a race that begins now is over, as a {@link System#nanoTime()}. */
    static long end() {
        return System.nanoTime() + NANOS;
    }

    /** Returns when all races are over of which the first begins now. */
    static long endOfAll() {
        return System.nanoTime() + rounds() * NANOS;
    }
}
