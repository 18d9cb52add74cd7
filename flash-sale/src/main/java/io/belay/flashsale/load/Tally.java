package io.belay.flashsale.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.ConcurrentHistogram;

/** The count of what all clients saw. Thread-safe. */
public final class Tally {
    private static final long LONGEST_MICROS = 3_600_000_000L;

    private final LongSupplier clock;
    private final long firstQuarter;
    private final AtomicLong sold = new AtomicLong();
    private volatile long quarterSold;
    private volatile long lastSale;
    private final LongAdder soldOut = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final ConcurrentHistogram micros = new ConcurrentHistogram(LONGEST_MICROS, 3);
    private volatile long lastProgress;

    /**
     * Begins to count.
     *
     * @param target how many units are to be sold
     * @param clock tells the time in nanoseconds
     */
    Tally(long target, LongSupplier clock) {
        this.clock = clock;
        this.firstQuarter = target / 4;
        long now = clock.getAsLong();
        this.quarterSold = now;
        this.lastSale = now;
        this.lastProgress = now;
    }

    void countSold(long nanos) {
        record(nanos);
        long now = clock.getAsLong();
        if (sold.incrementAndGet() == firstQuarter) {
            quarterSold = now;
        }
        lastSale = now;
        lastProgress = now;
    }

    void countSoldOut(long nanos) {
        record(nanos);
        soldOut.increment();
        lastProgress = clock.getAsLong();
    }

    void countUnknown() {
        unknown.increment();
    }

    void countFailed() {
        failed.increment();
    }

    void countRetry() {
        retries.increment();
    }

    private void record(long nanos) {
        micros.recordValue(Math.min(nanos / 1_000, LONGEST_MICROS));
    }

    /** Returns the number of orders that were taken. */
    public long sold() {
        return sold.get();
    }

    /** Returns how many orders were taken per second once a quarter of the units were sold: without the start-up. */
    public double soldPerSecond() {
        long nanos = lastSale - quarterSold;
        return nanos > 0 ? (sold() - firstQuarter) * 1e9 / nanos : 0;
    }

    /** Returns the number of orders that came too late. */
    public long soldOut() {
        return soldOut.sum();
    }

    /** Returns the number of orders that were sent and not answered. */
    public long unknown() {
        return unknown.sum();
    }

    /** Returns the number of orders that were given up. */
    public long failed() {
        return failed.sum();
    }

    /** Returns how often an order had to be sent again. */
    public long retries() {
        return retries.sum();
    }

    /** Returns the number of orders whose end is known, one way or the other. */
    public long done() {
        return sold() + soldOut() + unknown() + failed();
    }

    /**
     * Returns when an order was last taken or came too late, in nanoseconds of the clock; at first, when the count began. One that is
     * given up, or not answered, is no progress: where all are refused at once, so it would go on for hours.
     */
    public long lastProgress() {
        return lastProgress;
    }

    /** Returns how long an order took, in milliseconds, from its first sending to its answer, at a percentile. */
    public double percentileMillis(double percentile) {
        return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / 1_000.0;
    }
}
