package io.belay.support;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * An instant by both clocks of this process, for stores that count time by themselves: {@link System#nanoTime()} stands still
 * while the machine is suspended, and the wall clock does not.
 *
 * @param nanos the instant by nanoTime
 * @param wallOffset how far the wall clock was ahead of nanoTime then, in milliseconds
 */
public record Moment(long nanos, long wallOffset) {
    /** Returns the present instant. */
    public static Moment now() {
        return new Moment(System.nanoTime(), wallOffset(System::nanoTime, System::currentTimeMillis));
    }

    /** Returns how many nanoseconds ago this was, but for those during which the machine was suspended. */
    public long ago() {
        return System.nanoTime() - nanos;
    }

    /** Returns for how many milliseconds the machine was suspended since; see {@link #asleepUntil(Moment)}. */
    public long asleep() {
        return asleepUntil(now());
    }

    /**
     * Returns for how many milliseconds the machine was suspended between this instant and a later one, as far as the
     * clocks tell: 0 where they differ by no more than 1 % and 2 ms. A wall clock that was put ahead looks the same.
     */
    public long asleepUntil(Moment later) {
        Objects.requireNonNull(later, "later");
        long asleep = later.wallOffset - wallOffset;
        return asleep > TimeUnit.NANOSECONDS.toMillis(later.nanos - nanos) / 100 + 2 ? asleep : 0;
    }

    /**
     * Returns how far the wall clock is ahead of nanoTime, in milliseconds. A thread that is not scheduled between the two
     * readings would see a suspension that was none, so they are repeated until they were taken close together.
     */
    public static long wallOffset(LongSupplier nanoTime, LongSupplier wallMillis) {
        Objects.requireNonNull(nanoTime, "nanoTime");
        Objects.requireNonNull(wallMillis, "wallMillis");
        long offset;
        int attempts = 0;
        long before;
        do {
            before = nanoTime.getAsLong();
            offset = wallMillis.getAsLong() - before / 1_000_000;
        } while (nanoTime.getAsLong() - before > 500_000 && ++attempts < 10);
        return offset;
    }
}
