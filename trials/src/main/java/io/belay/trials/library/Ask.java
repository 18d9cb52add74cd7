package io.belay.trials.library;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A thread's demand for a lock.
 *
 * @param kind which primitive
 * @param name the lock's name
 * @param weight how much of it
 * @param capacity how much there is of it
 * @param patience for how long to wait: null without limit, zero not at all
 * @param giveUp how the wait ends after that time
 */
public record Ask(
        Kind kind,
        String name,
        int weight,
        int capacity,
        @Nullable Duration patience,
        GiveUp giveUp) {
    /** The primitives. */
    public enum Kind {
        MUTEX,
        ORDERED,
        /** A mutex whose lease is not renewed. */
        FIXED,
        /** A mutex that is renewed for a lease at the longest. */
        LIMITED,
        /** A mutex that its client keeps until others want it. */
        STICKY,
        /** A mutex that goes to whoever waits, also while that one wakes up. */
        NO_BARGING,
        /** A mutex whose wait ends if it is in a deadlock, and is the one to give up. */
        BREAKING,
        READ,
        WRITE,
        PERMITS,
        TERM
    }

    /** The ways to end a wait. */
    public enum GiveUp {
        /** The library ends it. */
        TIMEOUT,
        /** The waiter cancels the future. */
        CANCEL,
        /** The waiting thread is interrupted. */
        INTERRUPT
    }

    /** The capacity of a read-write lock: as many readers as there are, and more. */
    private static final int READERS = 1000;

    /** Returns a demand for a share of a read-write lock. */
    public static Ask read(String name) {
        return new Ask(Kind.READ, name, 1, READERS, null, GiveUp.TIMEOUT);
    }

    /** Returns a demand for the whole of a read-write lock. */
    public static Ask write(String name) {
        return new Ask(Kind.WRITE, name, READERS, READERS, null, GiveUp.TIMEOUT);
    }

    /** Returns a demand for some permits. */
    public static Ask permits(String name, int permits, int total, @Nullable Duration patience) {
        return new Ask(Kind.PERMITS, name, permits, total, patience, GiveUp.TIMEOUT);
    }

    /** Returns a demand for the lead. */
    public static Ask term(String name) {
        return new Ask(Kind.TERM, name, 1, 1, null, GiveUp.TIMEOUT);
    }

    /** Returns a demand for a whole lock whose waiters are served in the order in which they came. */
    public static Ask ordered(String name) {
        return new Ask(Kind.ORDERED, name, 1, 1, null, GiveUp.TIMEOUT);
    }

    /** Returns a demand for a whole lock. */
    public static Ask mutex(String name, @Nullable Duration patience) {
        return whole(Kind.MUTEX, name, patience);
    }

    /** Returns a demand for a whole lock of this kind. */
    public static Ask whole(Kind kind, String name, @Nullable Duration patience) {
        return new Ask(kind, name, 1, 1, patience, GiveUp.TIMEOUT);
    }

    /** Returns the same demand, with a wait that ends in this way. */
    public Ask endedBy(GiveUp way) {
        return new Ask(kind, name, weight, capacity, patience, way);
    }
}
