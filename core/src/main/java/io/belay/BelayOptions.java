package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The options of a client. Immutable: each method named {@code with...} returns a changed copy. */
public final class BelayOptions {
    private static final Duration SPIN = Duration.ofNanos(500_000);

    private static final BelayOptions DEFAULTS =
            new BelayOptions("belay", LockOptions.defaults(), Duration.ofSeconds(2), null, null, 0, SPIN);

    private final String clientName;
    private final LockOptions lockDefaults;
    private final Duration requestTimeout;
    private final @Nullable Executor callbackExecutor;
    private final @Nullable Duration polling;
    private final double pollingJitter;
    private final Duration spin;

    private BelayOptions(
            String clientName,
            LockOptions lockDefaults,
            Duration requestTimeout,
            @Nullable Executor callbackExecutor,
            @Nullable Duration polling,
            double pollingJitter,
            Duration spin) {
        this.clientName = clientName;
        this.lockDefaults = lockDefaults;
        this.requestTimeout = requestTimeout;
        this.callbackExecutor = callbackExecutor;
        this.polling = polling;
        this.pollingJitter = pollingJitter;
        this.spin = spin;
    }

    /** The name "belay", {@link LockOptions#defaults()}, 2 seconds for a request, callback threads of its own, no polling. */
    public static BelayOptions defaults() {
        return DEFAULTS;
    }

    /** How {@code inspect} and messages name this client; at most 64 characters of it are kept. */
    public BelayOptions withClientName(String clientName) {
        Objects.requireNonNull(clientName, "clientName");
        return new BelayOptions(
                clientName, lockDefaults, requestTimeout, callbackExecutor, polling, pollingJitter, spin);
    }

    /** The options of locks that are asked for without any. */
    public BelayOptions withLockDefaults(LockOptions lockDefaults) {
        Objects.requireNonNull(lockDefaults, "lockDefaults");
        return new BelayOptions(
                clientName, lockDefaults, requestTimeout, callbackExecutor, polling, pollingJitter, spin);
    }

    /**
     * How long a request to the store may take before it is sent again or given up.
     *
     * @throws IllegalArgumentException if it is not from 1 millisecond to 365 days
     */
    public BelayOptions withRequestTimeout(Duration requestTimeout) {
        return new BelayOptions(
                clientName,
                lockDefaults,
                Durations.positive("requestTimeout", requestTimeout),
                callbackExecutor,
                polling,
                pollingJitter,
                spin);
    }

    /**
     * Where the dependents of futures run. It must use threads of its own, never the caller's, since what runs there may
     * block. What it does not take, threads of the client's run. It is not shut down by the client.
     */
    public BelayOptions withCallbackExecutor(Executor callbackExecutor) {
        Objects.requireNonNull(callbackExecutor, "callbackExecutor");
        return new BelayOptions(
                clientName, lockDefaults, requestTimeout, callbackExecutor, polling, pollingJitter, spin);
    }

    /**
     * Makes those who wait ask the store at this interval, for networks that let no push through. It costs a request for
     * each waiting claim and interval; pushes that come are used all the same. Without it those who wait begin to poll by
     * themselves once a push was missed, at two thirds of a second.
     *
     * @param interval the time between two requests of a claim; with the jitter from 1 millisecond to 1 second, as a grant
     *     that its owner does not notice within two seconds goes to the next
     * @param jitter by which part of it the interval varies to either side, from 0 to 1, so that many do not ask at once
     * @throws IllegalArgumentException if they are not in that range
     */
    public BelayOptions withPolling(Duration interval, double jitter) {
        return new BelayOptions(
                clientName,
                lockDefaults,
                requestTimeout,
                callbackExecutor,
                Durations.polling(interval, jitter),
                jitter,
                spin);
    }

    /**
     * For how long a thread that waits for an answer of the store looks for it before it parks, half a millisecond
     * if nothing is said. It does so only while answers usually come in that time, and one thread of a process at a time:
     * it costs processor time, and saves what it takes to wake a parked thread, with a near store a good part of the
     * whole. Nothing of it applies to those who wait until others have released.
     *
     * @throws IllegalArgumentException if it is negative or longer than 10 milliseconds; zero is never to do it
     */
    public BelayOptions withSpin(Duration spin) {
        return new BelayOptions(
                clientName,
                lockDefaults,
                requestTimeout,
                callbackExecutor,
                polling,
                pollingJitter,
                Durations.spin(spin));
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

    /** How often those who wait ask the store, if they are to poll. */
    public Optional<Duration> polling() {
        return Optional.ofNullable(polling);
    }

    /** By which part of it the polling interval varies to either side. */
    public double pollingJitter() {
        return pollingJitter;
    }

    /** For how long a thread looks for an answer before it parks; zero if it parks at once. */
    public Duration spin() {
        return spin;
    }
}
