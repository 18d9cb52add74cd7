package io.belay;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The counts of one family of locks in this client.
 *
 * @param waits the waits that have ended since the client was connected
 * @param holds the holds that have ended since then
 * @param now what there is at this moment
 */
public record LockStatistics(Waits waits, Holds holds, Now now) {
    public LockStatistics {
        Objects.requireNonNull(waits, "waits");
        Objects.requireNonNull(holds, "holds");
        Objects.requireNonNull(now, "now");
    }

    /** The end of a wait. */
    public enum WaitEnd {
        /** The waiter got the lock. */
        ACQUIRED,
        /** The waiter's time was over, or it was only to try. */
        TIMEOUT,
        /** The store refused. */
        REFUSED,
        /** The store failed, or the client was closed. */
        ERROR,
        /** The waiter was interrupted, or its future cancelled. */
        CANCELLED
    }

    /** The end of a hold. */
    public enum HoldEnd {
        /** It was given back. */
        RELEASED,
        /** It was lost. */
        LOST,
        /** It was given back, and the store has not said whether it was held until then. */
        UNKNOWN
    }

    /**
     * The waits that have ended; all of it only grows.
     *
     * @param counts how many, by how they ended; an acquisition without a wait counts, too
     * @param times how long they have lasted together
     * @param longest the longest that ended with the lock
     * @param handOffs how many of the acquisitions were hand-overs inside the client, without the store
     */
    public record Waits(Map<WaitEnd, Long> counts, Map<WaitEnd, Duration> times, Duration longest, long handOffs) {
        /** Copies the maps. */
        public Waits {
            counts = Map.copyOf(Objects.requireNonNull(counts, "counts"));
            times = Map.copyOf(Objects.requireNonNull(times, "times"));
            Objects.requireNonNull(longest, "longest");
        }
    }

    /**
     * The holds that have ended; all of it only grows.
     *
     * @param counts how many, by how they ended
     * @param times how long they have lasted together
     * @param longest the longest
     * @param lost how many were lost, by reason
     */
    public record Holds(
            Map<HoldEnd, Long> counts, Map<HoldEnd, Duration> times, Duration longest, Map<LossReason, Long> lost) {
        /** Copies the maps. */
        public Holds {
            counts = Map.copyOf(Objects.requireNonNull(counts, "counts"));
            times = Map.copyOf(Objects.requireNonNull(times, "times"));
            Objects.requireNonNull(longest, "longest");
            lost = Map.copyOf(Objects.requireNonNull(lost, "lost"));
        }
    }

    /**
     * What there is at this moment.
     *
     * @param holding how many leases are held
     * @param waiting how many wait
     * @param oldestHold how long the oldest of the holds has lasted; zero if there is none
     * @param longestWait how long the longest of the waits has lasted; zero if there is none
     */
    public record Now(long holding, long waiting, Duration oldestHold, Duration longestWait) {
        public Now {
            Objects.requireNonNull(oldestHold, "oldestHold");
            Objects.requireNonNull(longestWait, "longestWait");
        }
    }
}
