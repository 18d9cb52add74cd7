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
        MUTEX
    }

    /** A whole lock. */
    public static Ask mutex(String name, @Nullable Duration patience) {
        return new Ask(Kind.MUTEX, name, 1, 1, patience);
    }
}
