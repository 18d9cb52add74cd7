package io.belay.internal.machine;

/** The margin for clocks that run, but not quite alike: 1 % of a time, and 2 ms. */
public final class Drift {
    private Drift() {}

    /** Returns by how many milliseconds two clocks may differ after so many nanoseconds. */
    public static long millis(long nanos) {
        return nanos / 100 / 1_000_000 + 2;
    }

    /** Returns so many microseconds of the store's clock as local nanoseconds, rather too few: the margin is taken off. */
    public static long localNanos(long micros) {
        return (micros - micros / 100 - 2_000) * 1000;
    }
}
