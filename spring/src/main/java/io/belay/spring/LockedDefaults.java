package io.belay.spring;

import io.belay.LockOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@link Locked} where an annotation says nothing. Without a bean of this type they are a wait of ten seconds, and
 * the options that the client has for locks.
 *
 * @param longestWait how long to wait for a lock
 * @param options how locks are acquired and held; null for the options that the client of each method has for locks
 */
public record LockedDefaults(Duration longestWait, @Nullable LockOptions options) {
    public LockedDefaults {
        if (Objects.requireNonNull(longestWait, "longestWait").isNegative()) {
            throw new IllegalArgumentException("the wait for a lock must not be negative, and not " + longestWait);
        }
    }

    /** Returns a wait of ten seconds, and the client's options. */
    public static LockedDefaults standard() {
        return new LockedDefaults(Duration.ofSeconds(10), null);
    }
}
