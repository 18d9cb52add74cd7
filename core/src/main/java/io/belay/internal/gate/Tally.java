package io.belay.internal.gate;

import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a gate since they were moved to its {@link Families.Family}, or of a family. What happens all the time is
 * counted in plain fields, the rest in arrays that most gates never make. Guarded by the lock of the gate or family; times
 * are in nanoseconds.
 */
final class Tally {
    private long acquired;
    private long waited;
    private long longestWait;
    private long handOffs;
    private long released;
    private long held;
    private long longestHold;
    private @Nullable Rare rare;

    private static final class Rare {
        final long[] waits = new long[WaitEnd.values().length];
        final long[] waited = new long[WaitEnd.values().length];
        final long[] holds = new long[HoldEnd.values().length];
        final long[] held = new long[HoldEnd.values().length];
        final long[] lost = new long[LossReason.values().length];
    }

    private Rare rare() {
        Rare present = rare;
        if (present == null) {
            present = new Rare();
            rare = present;
        }
        return present;
    }

    void acquired(long wait, boolean handOff) {
        acquired++;
        waited += wait;
        longestWait = Math.max(longestWait, wait);
        if (handOff) {
            handOffs++;
        }
    }

    /** Counts a wait that ended without the lock. */
    void gaveUp(WaitEnd end, long wait) {
        rare().waits[end.ordinal()]++;
        rare().waited[end.ordinal()] += wait;
    }

    void released(long hold) {
        released++;
        held += hold;
        longestHold = Math.max(longestHold, hold);
    }

    /** Counts a hold that was given back while nobody knew whether it was still held. */
    void unknown(long hold) {
        ended(HoldEnd.UNKNOWN, hold);
    }

    void lost(LossReason reason, long hold) {
        ended(HoldEnd.LOST, hold);
        rare().lost[reason.ordinal()]++;
    }

    private void ended(HoldEnd end, long hold) {
        rare().holds[end.ordinal()]++;
        rare().held[end.ordinal()] += hold;
        longestHold = Math.max(longestHold, hold);
    }

    /** Adds what another has counted, and forgets it there. */
    void take(Tally other) {
        acquired += other.acquired;
        waited += other.waited;
        longestWait = Math.max(longestWait, other.longestWait);
        handOffs += other.handOffs;
        released += other.released;
        held += other.held;
        longestHold = Math.max(longestHold, other.longestHold);
        other.acquired = 0;
        other.waited = 0;
        other.handOffs = 0;
        other.released = 0;
        other.held = 0;
        Rare more = other.rare;
        if (more != null) {
            other.rare = null;
            Rare all = rare();
            add(more.waits, all.waits);
            add(more.waited, all.waited);
            add(more.holds, all.holds);
            add(more.held, all.held);
            add(more.lost, all.lost);
        }
    }

    private static void add(long[] from, long[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    /** Returns the waits that were counted. */
    LockStatistics.Waits waits() {
        Map<WaitEnd, Long> counts = counts(WaitEnd.class, rare().waits);
        Map<WaitEnd, Duration> times = times(WaitEnd.class, rare().waited);
        counts.put(WaitEnd.ACQUIRED, acquired);
        times.put(WaitEnd.ACQUIRED, Duration.ofNanos(waited));
        return new LockStatistics.Waits(counts, times, Duration.ofNanos(longestWait), handOffs);
    }

    /** Returns the holds that were counted. */
    LockStatistics.Holds holds() {
        Map<HoldEnd, Long> counts = counts(HoldEnd.class, rare().holds);
        Map<HoldEnd, Duration> times = times(HoldEnd.class, rare().held);
        counts.put(HoldEnd.RELEASED, released);
        times.put(HoldEnd.RELEASED, Duration.ofNanos(held));
        Map<LossReason, Long> lost = counts(LossReason.class, rare().lost);
        return new LockStatistics.Holds(counts, times, Duration.ofNanos(longestHold), lost);
    }

    private static <E extends Enum<E>> Map<E, Long> counts(Class<E> type, long[] values) {
        Map<E, Long> counts = new EnumMap<>(type);
        for (E each : type.getEnumConstants()) {
            counts.put(each, values[each.ordinal()]);
        }
        return counts;
    }

    private static <E extends Enum<E>> Map<E, Duration> times(Class<E> type, long[] values) {
        Map<E, Duration> times = new EnumMap<>(type);
        for (E each : type.getEnumConstants()) {
            times.put(each, Duration.ofNanos(values[each.ordinal()]));
        }
        return times;
    }
}
