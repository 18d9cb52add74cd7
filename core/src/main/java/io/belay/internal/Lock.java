package io.belay.internal;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lock that users see, which makes waiters and brings them to the gate. */
final class Lock implements DistributedLock {
    private final Engine engine;
    private final Gate.Key key;
    private final LockOptions options;
    private final long fixedLease;
    private final long maxHold;
    private final boolean alone;
    private final boolean exclusive;
    /** The highest token that was granted through this object, to notice a store that went back. */
    private final AtomicLong highestToken = new AtomicLong();

    /** Returns a lock of the whole resource, which excludes everybody else. */
    static Lock exclusive(Engine engine, String name, LockOptions options) {
        return new Lock(engine, name, Resource.WHOLE, Resource.WHOLE, options);
    }

    /** Returns a lock that many may have at once, and nobody while somebody has the whole resource. */
    static Lock read(Engine engine, String name, LockOptions options) {
        return new Lock(engine, name, Resource.WHOLE, 1, options);
    }

    /** Returns a lock of so many of the permits that the resource has. */
    static Lock permits(Engine engine, String name, int capacity, int weight, LockOptions options) {
        return new Lock(engine, name, capacity, weight, options);
    }

    private Lock(Engine engine, String name, int capacity, int weight, LockOptions options) {
        this.engine = engine;
        this.options = options;
        fixedLease = options.fixedLease().map(Lock::micros).orElse(0L);
        maxHold = options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        exclusive = weight == Resource.WHOLE;
        alone = options.strictOrder() || fixedLease > 0 || capacity < Resource.WHOLE;
        long idle = alone || !exclusive
                ? 0
                : options.sticky().map(Duration::toNanos).orElse(0L);
        long slice = options.slice().orElseGet(engine.store()::slice).toNanos();
        key = new Gate.Key(name, capacity, weight, micros(options.lease()), slice, options.barging(), idle);
    }

    /** Returns the same lock with other options. */
    Lock with(LockOptions other) {
        return new Lock(engine, key.name(), key.capacity(), key.weight(), other);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    LockOptions options() {
        return options;
    }

    /** Raises the highest token to this one and returns what it was before; tokens of those who share need no order. */
    long raiseToken(long token) {
        return !exclusive ? Long.MIN_VALUE : highestToken.getAndAccumulate(token, Math::max);
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public Lease acquire() throws InterruptedException {
        checkInterrupt();
        return lease(start(false, Long.MAX_VALUE).await()).orElseThrow();
    }

    Lease acquireUninterruptibly() {
        return lease(start(false, Long.MAX_VALUE).awaitUninterruptibly()).orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return lease(start(true, engine.requestTimeoutNanos()).awaitUninterruptibly());
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long nanos = nanos("wait", wait);
        checkInterrupt();
        return lease(start(nanos == 0, nanos == 0 ? InFlight.SLOW : nanos).await());
    }

    Optional<Lease> tryAcquireUninterruptibly(long wait) {
        return lease(start(false, wait).awaitUninterruptibly());
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return startAsync(false, Long.MAX_VALUE, Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return startAsync(true, engine.requestTimeoutNanos(), Function.identity());
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        long nanos = nanos("wait", wait);
        return startAsync(nanos == 0, nanos == 0 ? InFlight.SLOW : nanos, Function.identity());
    }

    static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Returns the duration in nanoseconds, more than a year being for ever. */
    static long nanos(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " is " + duration + ", but must not be negative");
        }
        return duration.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private BlockingWaiter start(boolean ifFree, long wait) {
        Waiter.Request request = new Waiter.Request(ifFree, maxHold, this, Thread.currentThread());
        Gate gate = gate();
        while (true) {
            BlockingWaiter waiter = new BlockingWaiter(gate, request);
            Gate.Entry entry = gate.enter(waiter, wait);
            if (entry == Gate.Entry.ENTERED) {
                return waiter;
            }
            gate = elsewhere(entry);
        }
    }

    /** Acquires for a future of the result, done on the callback executor; a lease that nobody takes is given back. */
    <T> CompletableFuture<T> startAsync(boolean ifFree, long wait, Function<Optional<Lease>, T> result) {
        Waiter.Request request = new Waiter.Request(ifFree, maxHold, this, Thread.currentThread());
        Gate gate = gate();
        while (true) {
            AsyncWaiter<T> waiter = new AsyncWaiter<>(gate, request, result);
            Gate.Entry entry = gate.enter(waiter, wait);
            if (entry == Gate.Entry.ENTERED) {
                return waiter.future();
            }
            gate = elsewhere(entry);
        }
    }

    private Gate elsewhere(Gate.Entry entry) {
        return entry == Gate.Entry.APART ? ExclusiveGate.alone(engine, key.apart(), 0) : gate();
    }

    private Gate gate() {
        return alone ? ExclusiveGate.alone(engine, key, fixedLease) : engine.gate(key);
    }

    private static Optional<Lease> lease(@Nullable Object outcome) {
        if (outcome instanceof Waiter.Failure failure) {
            throw failure.get();
        }
        return outcome instanceof Hold hold ? Optional.of(hold) : Optional.empty();
    }

    /** Returns whether both locks stand for the same part of the same resource, by the same client. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lock lock
                && lock.engine == engine
                && lock.key.name().equals(key.name())
                && lock.key.weight() == key.weight();
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(engine) + key.name().hashCode();
    }

    @Override
    public String toString() {
        return "DistributedLock '" + name() + "'";
    }
}
