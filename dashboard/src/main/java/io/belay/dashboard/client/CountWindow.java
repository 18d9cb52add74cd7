package io.belay.dashboard.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;

/** The counts of one client over the last ten seconds, of which rates and percentiles are made. For one thread. */
final class CountWindow {
    private static final double SECONDS = 10;

    /** What was counted by a moment. */
    record Counts(long nanos, long acquired, long failed, SortedMap<Long, Long> withinMillis) {}

    private final Deque<Counts> counts = new ArrayDeque<>();

    void add(Counts now) {
        if (!counts.isEmpty() && seconds(counts.getLast(), now) > SECONDS) {
            counts.clear(); // nobody has asked since
        }
        counts.addLast(now);
        while (counts.size() > 2 && seconds(counts.getFirst(), now) > SECONDS) {
            counts.removeFirst();
        }
    }

    /** Forgets all: another client counts, or it was away in between. */
    void clear() {
        counts.clear();
    }

    OptionalDouble acquiredPerSecond() {
        return isMeasured()
                ? OptionalDouble.of(
                        (counts.getLast().acquired() - counts.getFirst().acquired()) / seconds())
                : OptionalDouble.empty();
    }

    OptionalDouble failedPerSecond() {
        return isMeasured()
                ? OptionalDouble.of(
                        (counts.getLast().failed() - counts.getFirst().failed()) / seconds())
                : OptionalDouble.empty();
    }

    /**
     * Returns the step within which that part of the waits ended with the lock.
     *
     * @param part from 0 to 1
     * @return in milliseconds; {@link Long#MAX_VALUE} if longer than the last step; empty if none ended
     */
    OptionalLong percentileMillis(double part) {
        if (!isMeasured()) {
            return OptionalLong.empty();
        }
        long all = counts.getLast().acquired() - counts.getFirst().acquired();
        if (all <= 0) {
            return OptionalLong.empty();
        }
        Map<Long, Long> before = counts.getFirst().withinMillis();
        for (Map.Entry<Long, Long> step : counts.getLast().withinMillis().entrySet()) {
            if (step.getValue() - before.getOrDefault(step.getKey(), 0L) >= part * all) {
                return OptionalLong.of(step.getKey());
            }
        }
        return OptionalLong.of(Long.MAX_VALUE);
    }

    private boolean isMeasured() {
        return counts.size() > 1 && seconds() > 0;
    }

    private double seconds() {
        return seconds(counts.getFirst(), counts.getLast());
    }

    private static double seconds(Counts from, Counts to) {
        return (to.nanos() - from.nanos()) / 1e9;
    }
}
