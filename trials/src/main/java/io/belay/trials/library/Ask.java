package io.belay.trials.library;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a thread asks for.
 *
 * @param kind which primitive
 * @param name the lock's name
 * @param weight how much of it
 * @param capacity how much there is of it
 * @param patience for how long to wait: null without limit, zero not at all
 */
public record Ask(
        Kind kind,
        String name,
        int weight,
        int capacity,
        @Nullable Duration patience) {
    /** The primitives. */
    public enum Kind {
        MUTEX,
        READ,
        WRITE,
        PERMITS,
        TERM
    }

    /** As many readers as there are, and more. */
    private static final int READERS = 1000;

    /** A share of a read-write lock. */
    public static Ask read(String name) {
        return new Ask(Kind.READ, name, 1, READERS, null);
    }

    /** All of a read-write lock. */
    public static Ask write(String name) {
        return new Ask(Kind.WRITE, name, READERS, READERS, null);
    }

    /** Some permits. */
    public static Ask permits(String name, int permits, int total, @Nullable Duration patience) {
        return new Ask(Kind.PERMITS, name, permits, total, patience);
    }

    /** The lead. */
    public static Ask term(String name) {
        return new Ask(Kind.TERM, name, 1, 1, null);
    }

    /** A whole lock. */
    public static Ask mutex(String name, @Nullable Duration patience) {
        return new Ask(Kind.MUTEX, name, 1, 1, patience);
    }
}
