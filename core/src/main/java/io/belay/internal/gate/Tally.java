package io.belay.internal.gate;

import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.internal.claim.Shown;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** The counts of a family of locks, by how waits and holds have ended; times are in nanoseconds. Thread-safe by {@link #count}. */
final class Tally {
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Map<WaitEnd, Sum> waits = new EnumMap<>(WaitEnd.class);
    private final Map<HoldEnd, Sum> holds = new EnumMap<>(HoldEnd.class);
    private final Map<LossReason, Sum> losses = new EnumMap<>(LossReason.class);
    private final WaitSteps steps = new WaitSteps();
    private long handOffs;

    /** Makes those of the family of that name. */
    Tally(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Counts something, or reads what was counted. */
    void count(Consumer<Tally> what) {
        lock.lock();
        try {
            what.accept(this);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The counts of one gate: what happens all the time, which is moved to the family of its lock when somebody asks, or when the
     * gate retires. Guarded by the gate's lock. What is seldom is counted for the family at once.
     */
    static final class Frequent {
        private final Tally family;
        private final Sum acquired = new Sum();
        private final Sum released = new Sum();
        private final WaitSteps steps = new WaitSteps();
        private long handOffs;

        Frequent(Tally family) {
            this.family = family;
        }

        Tally family() {
            return family;
        }

        void acquired(long wait, boolean handOff) {
            acquired.add(wait);
            steps.add(wait);
            handOffs += handOff ? 1 : 0;
        }

        void released(long held) {
            released.add(held);
        }

        /** Moves what was counted to the family. */
        void move() {
            family.count(all -> all.take(this));
        }
    }

    /** How often something was there, and how long it lasted together and at most. */
    static final class Sum {
        private long count;
        private long time;
        private long longest;

        void add(long one) {
            count++;
            time += one;
            longest = Math.max(longest, one);
        }

        /** Adds what another has summed up, and forgets it there. */
        void take(Sum other) {
            count += other.count;
            time += other.time;
            longest = Math.max(longest, other.longest);
            other.count = 0;
            other.time = 0;
        }
    }

    /** Counts a wait that ended without the lock. */
    void gaveUp(WaitEnd end, long wait) {
        of(waits, end).add(wait);
    }

    void released(long hold) {
        of(holds, HoldEnd.RELEASED).add(hold);
    }

    /** Counts a hold that was given back while nobody knew whether it was still held. */
    void unknown(long hold) {
        of(holds, HoldEnd.UNKNOWN).add(hold);
    }

    void lost(LossReason reason, long hold) {
        of(holds, HoldEnd.LOST).add(hold);
        of(losses, reason).add(hold);
    }

    private void take(Frequent gate) {
        of(waits, WaitEnd.ACQUIRED).take(gate.acquired);
        of(holds, HoldEnd.RELEASED).take(gate.released);
        steps.take(gate.steps);
        handOffs += gate.handOffs;
        gate.handOffs = 0;
    }

    /** Returns the waits that were counted. */
    LockStatistics.Waits waits() {
        Sum acquired = of(waits, WaitEnd.ACQUIRED);
        return new Shown.Waits(
                counts(WaitEnd.class, waits),
                times(WaitEnd.class, waits),
                Duration.ofNanos(acquired.longest),
                handOffs,
                steps.within(acquired.count));
    }

    /** Returns the holds that were counted. */
    LockStatistics.Holds holds() {
        long longest =
                holds.values().stream().mapToLong(sum -> sum.longest).max().orElse(0);
        return new Shown.Holds(
                counts(HoldEnd.class, holds),
                times(HoldEnd.class, holds),
                Duration.ofNanos(longest),
                counts(LossReason.class, losses));
    }

    private static <E extends Enum<E>> Sum of(Map<E, Sum> sums, E end) {
        return sums.computeIfAbsent(end, first -> new Sum());
    }

    private static <E extends Enum<E>> Map<E, Long> counts(Class<E> ends, Map<E, Sum> sums) {
        return shown(ends, sums, sum -> sum.count);
    }

    private static <E extends Enum<E>> Map<E, Duration> times(Class<E> ends, Map<E, Sum> sums) {
        return shown(ends, sums, sum -> Duration.ofNanos(sum.time));
    }

    /** Returns something of each sum, also of those to which nothing was added yet. */
    private static <E extends Enum<E>, T> Map<E, T> shown(Class<E> ends, Map<E, Sum> sums, Function<Sum, T> what) {
        Map<E, T> shown = new EnumMap<>(ends);
        for (E end : ends.getEnumConstants()) {
            shown.put(end, what.apply(of(sums, end)));
        }
        return shown;
    }
}
