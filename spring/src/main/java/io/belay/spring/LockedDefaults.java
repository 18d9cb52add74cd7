package io.belay.spring;

import io.belay.LockOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of {@link Locked} where an annotation says nothing. Without a bean of this type they are a wait of ten seconds, and
 * the options that the client has for locks.
 *
 * @param longestWait how long to wait for a lock
 * @param options how locks are acquired and held
 */
public record LockedDefaults(Duration longestWait, LockOptions options) {
    public LockedDefaults {
        Objects.requireNonNull(options, "options");
        if (Objects.requireNonNull(longestWait, "longestWait").isNegative()) {
            throw new IllegalArgumentException("the wait for a lock must not be negative, and not " + longestWait);
        }
    }

    /** Returns a wait of ten seconds, and Belay's own options. */
    public static LockedDefaults standard() {
        return new LockedDefaults(Duration.ofSeconds(10), LockOptions.defaults());
    }
}
