package io.belay;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The options of a client. Immutable: each method named {@code with...} returns a changed copy. */
public final class BelayOptions {
    private static final BelayOptions DEFAULTS =
            new BelayOptions("belay", LockOptions.defaults(), Duration.ofSeconds(2), null);

    private final String clientName;
    private final LockOptions lockDefaults;
    private final Duration requestTimeout;
    private final @Nullable Executor callbackExecutor;

    private BelayOptions(
            String clientName, LockOptions lockDefaults, Duration requestTimeout, @Nullable Executor callbackExecutor) {
        this.clientName = clientName;
        this.lockDefaults = lockDefaults;
        this.requestTimeout = requestTimeout;
        this.callbackExecutor = callbackExecutor;
    }

    /** The name "belay", {@link LockOptions#defaults()}, 2 seconds for a request, callback threads of its own. */
    public static BelayOptions defaults() {
        return DEFAULTS;
    }

    /** How {@code inspect} and messages name this client; at most 64 characters of it are kept. */
    public BelayOptions withClientName(String clientName) {
        return new BelayOptions(clientName, lockDefaults, requestTimeout, callbackExecutor);
    }

    /** The options of locks that are asked for without any. */
    public BelayOptions withLockDefaults(LockOptions lockDefaults) {
        return new BelayOptions(clientName, lockDefaults, requestTimeout, callbackExecutor);
    }

    /**
     * How long a request to the store may take before it is sent again or given up.
     *
     * @throws IllegalArgumentException if it is not from 1 millisecond to 365 days
     */
    public BelayOptions withRequestTimeout(Duration requestTimeout) {
        return new BelayOptions(
                clientName, lockDefaults, Durations.positive("requestTimeout", requestTimeout), callbackExecutor);
    }

    /**
     * Where {@code onLost} listeners and the dependents of futures run. It must use threads of its own, never the
     * caller's, since what runs there may block. It is not shut down by the client.
     */
    public BelayOptions withCallbackExecutor(Executor callbackExecutor) {
        return new BelayOptions(clientName, lockDefaults, requestTimeout, callbackExecutor);
    }

    /** The client's name. */
    public String clientName() {
        return clientName;
    }

    /** The options of locks that are asked for without any. */
    public LockOptions lockDefaults() {
        return lockDefaults;
    }

    /** How long a request to the store may take. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** Where callbacks run, if the user said so. */
    public Optional<Executor> callbackExecutor() {
        return Optional.ofNullable(callbackExecutor);
    }
}
