package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lease that the caller relied on is lost: others may have held the lock meanwhile. */
public class LeaseLostException extends BelayException {
    private static final long serialVersionUID = 1;

    private final String name;
    private final long token;
    private final LossReason reason;
    private final Duration held;
    private final @Nullable String forcedBy;

    /**
     * Makes the exception; only the library and tests of its users call this.
     *
     * @param name the lock's full name
     * @param token the lease's fencing token
     * @param held how long the lease was held
     * @param forcedBy who took it away, if somebody did and that is known
     * @param cause the exception that told the loss first, if there is one
     */
    public LeaseLostException(
            String message,
            String name,
            long token,
            LossReason reason,
            Duration held,
            @Nullable String forcedBy,
            @Nullable Throwable cause) {
        super(message, cause);
        this.name = Objects.requireNonNull(name, "name");
        this.token = token;
        this.reason = Objects.requireNonNull(reason, "reason");
        this.held = Objects.requireNonNull(held, "held");
        this.forcedBy = forcedBy;
    }

    /** Returns the lock's full name. */
    public String name() {
        return name;
    }

    /** Returns the fencing token of the lease. */
    public long token() {
        return token;
    }

    /** Returns why the lease is not held any more. */
    public LossReason reason() {
        return reason;
    }

    /** Returns how long the lease was held, from its acquisition to the moment at which the loss was noticed. */
    public Duration held() {
        return held;
    }

    /** Returns who took the lock away and from where, if it was taken away by force and the store still knew. */
    public Optional<String> forcedBy() {
        return Optional.ofNullable(forcedBy);
    }
}
