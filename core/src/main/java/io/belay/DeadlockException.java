package io.belay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A thread waited for a lock in a deadlock, and is the one to give up. It holds what it held before, and should give that back, so
 * that the others can go on.
 */
public final class DeadlockException extends BelayException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Deadlock deadlock;

    private DeadlockException(String message, Deadlock deadlock) {
        super(message, null);
        this.deadlock = deadlock;
    }

    /** Makes one that tells of that deadlock. */
    public static DeadlockException of(String message, Deadlock deadlock) {
        return new DeadlockException(message, Objects.requireNonNull(deadlock, "deadlock"));
    }

    /** Returns the ring; null after the exception was serialized, when the message tells it alone. */
    public @Nullable Deadlock deadlock() {
        return deadlock;
    }
}
