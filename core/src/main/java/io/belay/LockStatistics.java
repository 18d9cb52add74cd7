package io.belay;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/**
 * The counts of one family of locks in this client.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface LockStatistics {
    /** Returns the waits that have ended since the client was connected. */
    Waits waits();

    /** Returns the holds that have ended since then. */
    Holds holds();

    /** Returns what there is at this moment. */
    Now now();

    /** The end of a wait. */
    enum WaitEnd {
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
    enum HoldEnd {
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
     * <p>Only Belay implements this; methods may be added.
     */
    interface Waits {
        /** Returns how many, by how they ended; an acquisition without a wait counts, too. */
        Map<WaitEnd, Long> counts();

        /** Returns how long they have lasted together. */
        Map<WaitEnd, Duration> times();

        /** Returns the longest that ended with the lock. */
        Duration longest();

        /** Returns how many of the acquisitions were hand-overs inside the client, without the store. */
        long handOffs();

        /**
         * Returns how many of those that ended with the lock had waited for at most so long: from a millisecond to a minute in
         * steps of 1, 2, 3 and 5, each with those of the steps before it. What waited longer is in {@link #counts} alone.
         */
        SortedMap<Duration, Long> acquiredWithin();
    }

    /**
     * The holds that have ended; all of it only grows.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Holds {
        /** Returns how many, by how they ended. */
        Map<HoldEnd, Long> counts();

        /** Returns how long they have lasted together. */
        Map<HoldEnd, Duration> times();

        /** Returns the longest. */
        Duration longest();

        /** Returns how many were lost, by reason. */
        Map<LossReason, Long> lost();
    }

    /**
     * What there is at this moment.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Now {
        /** Returns how many leases are held. */
        long holding();

        /** Returns how many wait. */
        long waiting();

        /** Returns how long the oldest of the holds has lasted; zero if there is none. */
        Duration oldestHold();

        /**
         * Returns how long the longest of the waits has lasted, but for who stands by as the next leader, or waits at a latch; zero
         * if there is none.
         */
        Duration longestWait();
    }
}
