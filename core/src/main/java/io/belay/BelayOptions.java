package io.belay;

import java.time.Duration;
import java.util.List;
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

    /**
     * Returns the defaults: the name "belay", {@link LockOptions#defaults()}, 2 seconds for a request, callback
     * threads of the client's own, no polling, and half a millisecond for {@link #withSpin(Duration)}.
     */
    public static BelayOptions defaults() {
        return DEFAULTS;
    }

    /** Sets how {@code inspect} and messages name this client; at most 64 characters of the name are kept. */
    public BelayOptions withClientName(String clientName) {
        Objects.requireNonNull(clientName, "clientName");
        return new BelayOptions(
                clientName, lockDefaults, requestTimeout, callbackExecutor, polling, pollingJitter, spin);
    }

    /** Sets the options of locks that are asked for without any. */
    public BelayOptions withLockDefaults(LockOptions lockDefaults) {
        Objects.requireNonNull(lockDefaults, "lockDefaults");
        return new BelayOptions(
                clientName, lockDefaults, requestTimeout, callbackExecutor, polling, pollingJitter, spin);
    }

    /**
     * Sets how long a request to the store may take before the client sends it again or gives it up.
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
     * Sets the executor that runs the dependents of futures. It must use threads of its own, never the caller's,
     * since what runs there may block. What it refuses is run by threads of the client's. The client does not shut it
     * down.
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
     * Sets for how long a thread that waits for an answer of the store looks for the answer before it parks, half a
     * millisecond if nothing is said. A thread does so only while answers usually come in that time, and one thread
     * of a process at a time: to look costs processor time, and saves what it takes to wake a parked thread, with a
     * near store a good part of the whole. A thread that waits until others have released parks at once.
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

    /** Returns the client's name. */
    public String clientName() {
        return clientName;
    }

    /** Returns the options of locks that are asked for without any. */
    public LockOptions lockDefaults() {
        return lockDefaults;
    }

    /** Returns how long a request to the store may take. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** Returns the executor that runs callbacks, if the user gave one. */
    public Optional<Executor> callbackExecutor() {
        return Optional.ofNullable(callbackExecutor);
    }

    /** Returns the time between two requests of a waiting claim, if those who wait are to poll. */
    public Optional<Duration> polling() {
        return Optional.ofNullable(polling);
    }

    /** Returns by which part of itself the polling interval varies to either side, from 0 to 1. */
    public double pollingJitter() {
        return pollingJitter;
    }

    /** Returns for how long a thread looks for an answer before it parks; zero if it parks at once. */
    public Duration spin() {
        return spin;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BelayOptions options && values().equals(options.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Optional<?>> values() {
        return List.of(
                Optional.of(clientName),
                Optional.of(lockDefaults),
                Optional.of(requestTimeout),
                callbackExecutor(),
                polling(),
                Optional.of(pollingJitter),
                Optional.of(spin));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("BelayOptions[clientName=" + clientName);
        text.append(", lockDefaults=").append(lockDefaults);
        text.append(", requestTimeout=").append(requestTimeout);
        callbackExecutor().ifPresent(value -> text.append(", callbackExecutor=").append(value));
        polling()
                .ifPresent(value -> text.append(", polling=")
                        .append(value)
                        .append(", pollingJitter=")
                        .append(pollingJitter));
        return text.append(", spin=").append(spin).append(']').toString();
    }
}
