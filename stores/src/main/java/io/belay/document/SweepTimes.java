package io.belay.document;

import java.util.concurrent.TimeUnit;

/** The times when a worker sweeps: about once a minute, then again and again until nothing is left. Not thread-safe. */
final class SweepTimes {
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private long next;

    SweepTimes(long now) {
        next = now + PollSchedule.spread(PAUSE);
    }

    /** Returns the next time, as a {@link System#nanoTime()}. */
    long next() {
        return next;
    }

    boolean isDue(long now) {
        return next - now <= 0;
    }

    /** Takes note of a sweep that is done; {@code more} says whether it has left something. */
    void swept(long now, boolean more) {
        next = more ? now : now + PollSchedule.spread(PAUSE);
    }
}
