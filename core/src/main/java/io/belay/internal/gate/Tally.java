package io.belay.internal.gate;

import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.internal.claim.Shown;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The counts of a family of locks, by how waits and holds have ended; times are in nanoseconds. Thread-safe. */
final class Tally {
    final String name;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Map<WaitEnd, Sum> waits = new EnumMap<>(WaitEnd.class);
    private final Map<HoldEnd, Sum> holds = new EnumMap<>(HoldEnd.class);
    private final Map<LossReason, Sum> losses = new EnumMap<>(LossReason.class);
    private final Sum acquired = of(waits, WaitEnd.ACQUIRED);
    private final Sum released = of(holds, HoldEnd.RELEASED);
    private final WaitSteps steps = new WaitSteps();
    private long handOffs;

    /** Makes those of the family of that name. */
    Tally(String name) {
        this.name = name;
    }

    /** Does something with what was counted, to which nobody adds anything meanwhile. */
    void locked(Consumer<Tally> what) {
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
        private final Sum acquired = new Sum();
        private final Sum released = new Sum();
        private @Nullable WaitSteps steps;
        private long handOffs;

        void acquired(long wait, boolean handOff) {
            acquired.add(wait);
            if (wait > WaitSteps.MILLI) {
                steps = steps == null ? new WaitSteps() : steps;
                steps.add(wait);
            }
            handOffs += handOff ? 1 : 0;
        }

        void released(long held) {
            released.add(held);
        }
    }

    /**
     * How many waits lasted for how long, in steps. Those of a millisecond at most, which is what there is of a lock that is free, are not
     * counted but are what is left: a gate that nobody waits at has no room for the steps. Guarded by whose it is.
     */
    static final class WaitSteps {
        private static final long MILLI = 1_000_000;

        /** The steps in milliseconds; what is longer than the last has one of its own. */
        private static final int[] MILLIS = {
            1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000
        };

        /** The number of those that lasted longer than the step of that number, and no longer than the next. */
        private final long[] longer = new long[MILLIS.length];

        /** Counts a wait. */
        void add(long nanos) {
            for (int step = MILLIS.length - 1; step >= 0; step--) {
                if (nanos > MILLIS[step] * MILLI) {
                    longer[step]++;
                    return;
                }
            }
        }

        /** Adds what others have counted, and forgets it there. */
        void take(WaitSteps other) {
            for (int i = 0; i < longer.length; i++) {
                longer[i] += other.longer[i];
                other.longer[i] = 0;
            }
        }

        /** Returns how many of all lasted at most so long. */
        SortedMap<Duration, Long> within(long all) {
            SortedMap<Duration, Long> within = new TreeMap<>();
            long left = all;
            for (int i = MILLIS.length - 1; i >= 0; i--) {
                left -= longer[i];
                within.put(Duration.ofMillis(MILLIS[i]), left);
            }
            return Collections.unmodifiableSortedMap(within);
        }
    }

    /** How often something was there, and how long it lasted together and at most. Many threads together may take centuries. */
    static final class Sum {
        /** The bits of the lower part of their time, in nanoseconds: what is more than 146 years is carried to the upper one. */
        private static final int BITS = 62;

        long count;
        private long upper;
        private long lower;
        long longest;

        void add(long one) {
            add(1, 0, one, one);
        }

        /** Adds what another has summed up, and forgets it there. */
        void take(Sum other) {
            add(other.count, other.upper, other.lower, other.longest);
            other.count = 0;
            other.upper = 0;
            other.lower = 0;
        }

        private void add(long number, long high, long low, long most) {
            count += number;
            lower += low;
            upper += high + (lower >> BITS);
            lower &= (1L << BITS) - 1;
            longest = Math.max(longest, most);
        }

        Duration time() {
            return Duration.ofNanos(1L << BITS).multipliedBy(upper).plusNanos(lower);
        }
    }

    /** Counts a wait that ended without the lock. */
    void gaveUp(WaitEnd end, long wait) {
        add(waits, end, wait);
    }

    /** Counts a hold that was given back. */
    void ended(HoldEnd end, long hold) {
        add(holds, end, hold);
    }

    void lost(LossReason reason, long hold) {
        add(holds, HoldEnd.LOST, hold);
        add(losses, reason, hold);
    }

    private <E extends Enum<E>> void add(Map<E, Sum> sums, E end, long one) {
        locked(its -> of(sums, end).add(one));
    }

    /** Adds what was counted at a gate, and forgets it there. */
    void take(Frequent gate) {
        locked(its -> {
            acquired.take(gate.acquired);
            released.take(gate.released);
            if (gate.steps != null) {
                steps.take(gate.steps);
            }
            handOffs += gate.handOffs;
            gate.handOffs = 0;
        });
    }

    /** Returns the waits that were counted. */
    LockStatistics.Waits waits() {
        return new Shown.Waits(
                shown(WaitEnd.class, waits, sum -> sum.count),
                shown(WaitEnd.class, waits, Sum::time),
                Duration.ofNanos(acquired.longest),
                handOffs,
                steps.within(acquired.count));
    }

    /** Returns the holds that were counted. */
    LockStatistics.Holds holds() {
        long longest =
                holds.values().stream().mapToLong(sum -> sum.longest).max().orElse(0);
        return new Shown.Holds(
                shown(HoldEnd.class, holds, sum -> sum.count),
                shown(HoldEnd.class, holds, Sum::time),
                Duration.ofNanos(longest),
                shown(LossReason.class, losses, sum -> sum.count));
    }

    private static <E extends Enum<E>> Sum of(Map<E, Sum> sums, E end) {
        return sums.computeIfAbsent(end, first -> new Sum());
    }

    /** Returns something of each sum, also of those to which nothing was added yet. */
    private static <E extends Enum<E>, T> Map<E, T> shown(Class<E> ends, Map<E, Sum> sums, Function<Sum, T> what) {
        Map<E, T> shown = new EnumMap<>(ends);
        for (E end : ends.getEnumConstants()) {
            shown.put(end, what.apply(of(sums, end)));
        }
        return Collections.unmodifiableMap(shown);
    }
}
