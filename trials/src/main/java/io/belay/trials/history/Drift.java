package io.belay.trials.history;

/** The margin for clocks that run, but not quite alike: 1 % of a time, and 2 ms. */
public final class Drift {
    private static final int SHARE = 100;
    private static final long BESIDES_NANOS = 2_000_000;

    private Drift() {}

    /** Returns so many nanoseconds without the margin, which may be all that another clock counts meanwhile. */
    public static long without(long nanos) {
        return nanos - nanos / SHARE - BESIDES_NANOS;
    }
}
