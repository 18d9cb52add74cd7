package io.belay.internal.machine;

import io.belay.ClientClosedException;
import io.belay.LockRefusedException;
import io.belay.LockStatistics.WaitEnd;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a wait without the lock.
 *
 * @param kind how it ended
 * @param text what its caller is told; empty where others simply had the lock
 * @param thrown makes what is thrown to its caller; null if that follows from the rest
 */
public record Failure(Kind kind, String text, @Nullable Supplier<RuntimeException> thrown) {
    Failure(Kind kind, String text) {
        this(kind, text, null);
    }

    /** How a wait ends. */
    public enum Kind {
        NOT_HAD(WaitEnd.TIMEOUT),
        CANCELLED(WaitEnd.CANCELLED),
        CLOSED(WaitEnd.ERROR),
        UNAVAILABLE(WaitEnd.ERROR),
        UNUSABLE(WaitEnd.ERROR),
        REFUSED(WaitEnd.REFUSED),
        DEADLOCK(WaitEnd.ERROR);

        private final WaitEnd end;

        Kind(WaitEnd end) {
            this.end = end;
        }
    }

    /** Others had the lock all the time. */
    public static final Failure NOT_HAD = new Failure(Kind.NOT_HAD, "");

    /** The caller has given up. */
    public static final Failure CANCELLED = new Failure(Kind.CANCELLED, "");

    /** Returns the failure of those whose client is closed, or else paused, to whom that text says what they cannot have. */
    public static Failure shut(boolean closed, String what) {
        return closed
                ? new Failure(Kind.CLOSED, what + "the client was closed")
                : new Failure(Kind.UNAVAILABLE, what + "the client is paused");
    }

    /** Returns the failure of one whose wait would never end. */
    public static Failure deadlock(Supplier<RuntimeException> thrown) {
        return new Failure(Kind.DEADLOCK, "", thrown);
    }

    static Failure refused(String name, @Nullable String reason) {
        return new Failure(Kind.REFUSED, "The lock '" + name + "' was refused: " + reason);
    }

    static Failure unusable(String name, @Nullable String reason) {
        return new Failure(Kind.UNUSABLE, "The lock '" + name + "' cannot be had: " + reason);
    }

    static Failure unavailable(String name, String lastFailure) {
        return new Failure(
                Kind.UNAVAILABLE,
                "The store did not answer in time, so it is not known who has the lock '" + name + "'" + lastFailure);
    }

    static Failure wentBack(String name, long token, long seen) {
        return new Failure(
                Kind.REFUSED,
                "The store went back: the lock '" + name + "' was granted with the token " + token + " after " + seen
                        + ". Was a backup restored, or a replica promoted that lags? Reset the guards before going on");
    }

    /** Returns how the wait is counted. */
    public WaitEnd end() {
        return kind.end;
    }

    /** Makes what is thrown to the caller; null where it is told no more than that it has not had the lock. */
    public @Nullable RuntimeException exception() {
        return switch (kind) {
            case NOT_HAD, CANCELLED -> null;
            case CLOSED -> new ClientClosedException(text, null);
            case UNAVAILABLE -> new StoreUnavailableException(text, null);
            case UNUSABLE -> new StoreMisconfiguredException(text, null);
            case DEADLOCK -> Objects.requireNonNull(thrown).get();
            case REFUSED -> new LockRefusedException(text, null);
        };
    }
}
