package io.belay;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client: its name, its locks' defaults, its times, and who is told. Immutable: each method named {@code with...}
 * returns a changed copy.
 *
 * <p>A value that is outside of what its method says is refused with an {@link IllegalArgumentException} that names option, value and
 * range.
 */
public final class BelayOptions {
    private enum Option {
        CLIENT_NAME("clientName"),
        LOCK_DEFAULTS("lockDefaults"),
        REQUEST_TIMEOUT("requestTimeout"),
        CALLBACK_EXECUTOR("callbackExecutor"),
        POLLING("polling"),
        POLLING_JITTER("pollingJitter"),
        SPIN("spin"),
        LISTENER("listener"),
        SLOW_WAIT("slowWait"),
        LONG_HOLD("longHold"),
        DEADLOCK_CHECK("deadlockCheck"),
        FAMILIES("families"),
        CONNECT_MODE("connectMode");

        final String title;

        Option(String title) {
            this.title = title;
        }
    }

    private static final BelayOptions DEFAULTS = new BelayOptions(new EnumMap<>(Map.of(
            Option.CLIENT_NAME, "belay",
            Option.LOCK_DEFAULTS, LockOptions.defaults(),
            Option.REQUEST_TIMEOUT, Duration.ofSeconds(2),
            Option.SPIN, Duration.ofNanos(500_000),
            Option.SLOW_WAIT, Duration.ofSeconds(1),
            Option.DEADLOCK_CHECK, Duration.ofSeconds(1),
            Option.CONNECT_MODE, ConnectMode.REQUIRED)));

    private final EnumMap<Option, Object> values;

    private BelayOptions(EnumMap<Option, Object> values) {
        this.values = values;
    }

    private BelayOptions with(Option option, Object value) {
        EnumMap<Option, Object> changed = new EnumMap<>(values);
        changed.put(option, value);
        return new BelayOptions(changed);
    }

    private <T> T get(Option option, Class<T> type) {
        return type.cast(Objects.requireNonNull(values.get(option)));
    }

    private <T> Optional<T> find(Option option, Class<T> type) {
        return Optional.ofNullable(values.get(option)).map(type::cast);
    }

    /**
     * Returns the defaults: the name "belay", {@link LockOptions#defaults()}, 2 seconds for a request, callback
     * threads of the client's own, no polling, half a millisecond for {@link #withSpin(Duration)}, a second for
     * {@link #withSlowWait(Duration)}, and no listener.
     */
    public static BelayOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how {@link BelayAdmin#inspect} and messages name this client.
     *
     * @param clientName any text, of which at most 64 characters are shown, on one line; "belay" by default
     * @throws IllegalArgumentException if it is blank
     */
    public BelayOptions withClientName(String clientName) {
        if (Objects.requireNonNull(clientName, "clientName").isBlank()) {
            throw new IllegalArgumentException("clientName is blank; give it a name that people know");
        }
        return with(Option.CLIENT_NAME, clientName);
    }

    /**
     * Sets the options of locks, semaphores and elections that are asked for without any.
     *
     * @param lockDefaults {@link LockOptions#defaults()} by default
     */
    public BelayOptions withLockDefaults(LockOptions lockDefaults) {
        return with(Option.LOCK_DEFAULTS, Objects.requireNonNull(lockDefaults, "lockDefaults"));
    }

    /**
     * Sets how long a request to the store may take before the client sends it again or gives it up.
     *
     * @param requestTimeout from 1 millisecond to 365 days; 2 seconds by default
     */
    public BelayOptions withRequestTimeout(Duration requestTimeout) {
        return with(Option.REQUEST_TIMEOUT, Durations.positive("requestTimeout", requestTimeout));
    }

    /**
     * Sets the executor that runs the dependents of futures. It must use threads of its own, never the caller's,
     * since what runs there may block. Its {@code execute} must not: the threads that renew leases, and those that read
     * what the store answers, wait for it. What it refuses is run by threads of the client's. The client does not shut
     * it down.
     *
     * @param callbackExecutor threads of the client's own by default, which are daemons and end when idle
     */
    public BelayOptions withCallbackExecutor(Executor callbackExecutor) {
        return with(Option.CALLBACK_EXECUTOR, Objects.requireNonNull(callbackExecutor, "callbackExecutor"));
    }

    /**
     * Makes those who wait ask the store at this interval, for networks that let no push through. It costs a request for
     * each waiting claim and interval; pushes that come are used all the same. Without it those who wait begin to poll by
     * themselves once a push was missed, at two thirds of a second.
     *
     * @param interval the time between two requests of a claim; with the jitter from 1 millisecond to 1 second, as a grant
     *     that its owner does not notice within two seconds goes to the next
     * @param jitter by which part of it the interval varies to either side, from 0 to 1, so that many do not ask at once
     */
    public BelayOptions withPolling(Duration interval, double jitter) {
        return with(Option.POLLING, Durations.polling(interval, jitter)).with(Option.POLLING_JITTER, jitter);
    }

    /**
     * Sets for how long a thread that waits for an answer of the store looks for the answer before it parks. A thread does so only while answers usually come in that time, and one thread
     * of a process at a time: to look costs processor time, and saves what it takes to wake a parked thread, with a
     * near store a good part of the whole. A thread that waits until others have released parks at once.
     *
     * @param spin from zero, for never, to 10 milliseconds; half a millisecond by default
     */
    public BelayOptions withSpin(Duration spin) {
        return with(Option.SPIN, Durations.spin(spin));
    }

    /**
     * Sets who is told of slow waits, long holds, losses and outages, besides the log.
     *
     * @param listener nobody by default
     */
    public BelayOptions withListener(BelayListener listener) {
        return with(Option.LISTENER, Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Sets after which time a wait that goes on is told to the listener and logged, with who has the lock. To find out costs an
     * inspection of the lock.
     *
     * @param slowWait zero, for never, or from 1 millisecond to 365 days; a second by default
     */
    public BelayOptions withSlowWait(Duration slowWait) {
        return with(Option.SLOW_WAIT, Durations.zeroOrPositive("slowWait", slowWait));
    }

    /**
     * Sets after which time a lease that is still held is told to the listener and logged.
     *
     * @param longHold zero, for never, or from 1 millisecond to 365 days; never by default, since a leader may lead for ever
     */
    public BelayOptions withLongHold(Duration longHold) {
        return with(Option.LONG_HOLD, Durations.zeroOrPositive("longHold", longHold));
    }

    /**
     * Sets after which time a thread that waits, and holds something, begins to look whether it waits for itself: whether those it
     * waits for wait, in the end, for what it holds. Until then nothing is sent; from then on each lock that it holds shows what it
     * waits for, a request each, and two inspections a second follow that. Clients that share locks should have the same time.
     *
     * @param deadlockCheck zero, for never, or from 1 millisecond to 365 days; a second by default
     */
    public BelayOptions withDeadlockCheck(Duration deadlockCheck) {
        return with(Option.DEADLOCK_CHECK, Durations.zeroOrPositive("deadlockCheck", deadlockCheck));
    }

    /** Returns after which time a wait is looked at for deadlocks; zero for never. */
    public Duration deadlockCheck() {
        return get(Option.DEADLOCK_CHECK, Duration.class);
    }

    /**
     * Sets how locks are put into families, for which they are counted together in {@link BelayAdmin#statistics()}. Without it
     * the family is the namespace and the first part of a name, up to the next colon; the namespace alone if that part is a UUID.
     *
     * @param families turns a lock's full name into the name of its family; called often, by any thread, and must not block
     */
    public BelayOptions withFamilies(UnaryOperator<String> families) {
        return with(Option.FAMILIES, Objects.requireNonNull(families, "families"));
    }

    /**
     * Sets whether connecting needs the store to answer: an application that is to start while its store is away connects later.
     *
     * @param connectMode {@link ConnectMode#REQUIRED} by default
     */
    public BelayOptions withConnectMode(ConnectMode connectMode) {
        return with(Option.CONNECT_MODE, Objects.requireNonNull(connectMode, "connectMode"));
    }

    /** Returns the client's name. */
    public String clientName() {
        return get(Option.CLIENT_NAME, String.class);
    }

    /** Returns the options of locks that are asked for without any. */
    public LockOptions lockDefaults() {
        return get(Option.LOCK_DEFAULTS, LockOptions.class);
    }

    /** Returns how long a request to the store may take. */
    public Duration requestTimeout() {
        return get(Option.REQUEST_TIMEOUT, Duration.class);
    }

    /** Returns the executor that runs callbacks, if the user gave one. */
    public Optional<Executor> callbackExecutor() {
        return find(Option.CALLBACK_EXECUTOR, Executor.class);
    }

    /** Returns the time between two requests of a waiting claim, if those who wait are to poll. */
    public Optional<Duration> polling() {
        return find(Option.POLLING, Duration.class);
    }

    /** Returns by which part of itself the polling interval varies to either side, from 0 to 1. */
    public double pollingJitter() {
        return find(Option.POLLING_JITTER, Double.class).orElse(0.0);
    }

    /** Returns for how long a thread looks for an answer before it parks; zero if it parks at once. */
    public Duration spin() {
        return get(Option.SPIN, Duration.class);
    }

    /** Returns who is told of slow waits, long holds, losses and outages, if anybody is. */
    public Optional<BelayListener> listener() {
        return find(Option.LISTENER, BelayListener.class);
    }

    /** Returns after which time a wait that goes on is told; zero for never. */
    public Duration slowWait() {
        return get(Option.SLOW_WAIT, Duration.class);
    }

    /** Returns after which time a hold that goes on is told; zero for never. */
    public Duration longHold() {
        return find(Option.LONG_HOLD, Duration.class).orElse(Duration.ZERO);
    }

    /** Returns whether connecting needs the store to answer. */
    public ConnectMode connectMode() {
        return get(Option.CONNECT_MODE, ConnectMode.class);
    }

    /** Returns what turns a lock's full name into the name of its family, if the user gave something. */
    @SuppressWarnings("unchecked") // nothing else is put there
    public Optional<UnaryOperator<String>> families() {
        return find(Option.FAMILIES, UnaryOperator.class).map(function -> (UnaryOperator<String>) function);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BelayOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey().title + "=" + entry.getValue())
                .collect(Collectors.joining(", ", "BelayOptions[", "]"));
    }
}
