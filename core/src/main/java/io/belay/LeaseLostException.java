package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a caller who relied on a lease that it is not held, or not surely. What there is to do: stop what needs the lock, and
 * acquire it again. Exactly one of three is so:
 *
 * <ul>
 *   <li>the lease is lost, and others may have had the lock since: {@link #reason()} says why;
 *   <li>the lease was {@linkplain #isReleased() given back} before: the caller used it for too long;
 *   <li>nobody {@linkplain #isUnsure() knows}: ask again shortly, and act on nothing until then.
 * </ul>
 */
public final class LeaseLostException extends BelayException {
    private static final long serialVersionUID = 1;

    private final String name;
    private final long token;
    private final @Nullable LossReason reason;
    private final boolean released;
    private final Duration held;
    private final @Nullable String forcedBy;

    private LeaseLostException(Builder parts, String message) {
        super(message, parts.cause);
        name = parts.name;
        token = parts.token;
        reason = parts.reason;
        released = parts.released;
        held = parts.held;
        forcedBy = parts.forcedBy;
    }

    /**
     * Begins to make such an exception, as the library does, and tests of its users may. Without more it tells a lease that is
     * {@linkplain #isUnsure() unsure}.
     *
     * @param name the lock's full name
     * @param token the lease's fencing token
     */
    public static Builder of(String name, long token) {
        return new Builder(name, token);
    }

    /** Returns the lock's full name. */
    public String name() {
        return name;
    }

    /** Returns the {@linkplain Lease#token() fencing token} of the lease. */
    public long token() {
        return token;
    }

    /** Returns why the lease was lost; empty if it was {@linkplain #isReleased() given back} or is {@linkplain #isUnsure() unsure}. */
    public Optional<LossReason> reason() {
        return Optional.ofNullable(reason);
    }

    /** Returns whether the lease was given back before: nothing was lost, but the caller relied on a lease that is over. */
    public boolean isReleased() {
        return released;
    }

    /**
     * Returns whether nobody knows yet: the machine seems to have been suspended, and the store does not answer. The lease may
     * turn out to be held, or lost.
     */
    public boolean isUnsure() {
        return reason == null && !released;
    }

    /** Returns how long the lease was held, from its acquisition to the moment at which the loss was noticed. */
    public Duration held() {
        return held;
    }

    /** Returns who took the lock away and from where, if it was taken away by force and the store still knew. */
    public Optional<String> forcedBy() {
        return Optional.ofNullable(forcedBy);
    }

    /** Collects what a {@link LeaseLostException} tells. For one thread, and one exception. */
    public static final class Builder {
        private final String name;
        private final long token;
        private @Nullable LossReason reason;
        private boolean released;
        private Duration held = Duration.ZERO;
        private @Nullable String forcedBy;
        private @Nullable Throwable cause;

        private Builder(String name, long token) {
            this.name = Objects.requireNonNull(name, "name");
            this.token = token;
        }

        /** Sets why the lease was lost. */
        public Builder lost(LossReason reason) {
            this.reason = Objects.requireNonNull(reason, "reason");
            released = false;
            forcedBy = null;
            return this;
        }

        /** Says that the lease was not lost, but given back. */
        public Builder released() {
            reason = null;
            released = true;
            forcedBy = null;
            return this;
        }

        /** Sets how long the lease was held; zero if this is not called. */
        public Builder held(Duration held) {
            this.held = Objects.requireNonNull(held, "held");
            return this;
        }

        /** Sets who took the lock away by force; the lease is lost for that reason. */
        public Builder forcedBy(String forcedBy) {
            Objects.requireNonNull(forcedBy, "forcedBy");
            lost(LossReason.FORCED);
            this.forcedBy = forcedBy;
            return this;
        }

        /** Sets the exception that told the loss first. */
        public Builder cause(Throwable cause) {
            this.cause = Objects.requireNonNull(cause, "cause");
            return this;
        }

        /** Makes the exception, with that message. */
        public LeaseLostException withMessage(String message) {
            return new LeaseLostException(this, message);
        }
    }
}
