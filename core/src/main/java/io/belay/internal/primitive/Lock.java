package io.belay.internal.primitive;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.InFlight;
import io.belay.internal.gate.AsyncWaiter;
import io.belay.internal.gate.BlockingWaiter;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.GateKey;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.HighestToken;
import io.belay.internal.gate.LocalClaimInfo;
import io.belay.internal.gate.Waiter;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lock that users see, which makes waiters and brings them to the gate. */
public final class Lock implements DistributedLock {
    private final Gates gates;
    private final Engine engine;
    private final GateKey key;
    private final LockOptions options;
    private final long fixedLease;
    private final long maxHold;
    private final long atLeast;
    private final String behalf;
    private final boolean alone;
    private final HighestToken highestToken;

    /** Returns a lock of the whole resource, which excludes everybody else. */
    public static Lock exclusive(Gates gates, String name, LockOptions options) {
        return new Lock(gates, name, Resource.WHOLE, Resource.WHOLE, options, false);
    }

    /** Returns such a lock for a short step of those who end their work while the client drains. */
    static Lock ending(Gates gates, String name, LockOptions options) {
        return new Lock(gates, name, Resource.WHOLE, Resource.WHOLE, options, true);
    }

    /** Returns a lock that many may have at once, and nobody while somebody has the whole resource. */
    static Lock read(Gates gates, String name, LockOptions options) {
        return new Lock(gates, name, Resource.WHOLE, 1, options, false);
    }

    /** Returns a lock of so many of the permits that the resource has. */
    static Lock permits(Gates gates, String name, int capacity, int weight, LockOptions options) {
        return new Lock(gates, name, capacity, weight, options, false);
    }

    private Lock(Gates gates, String name, int capacity, int weight, LockOptions options, boolean ending) {
        this.gates = gates;
        this.options = options;
        engine = gates.engine();
        fixedLease = options.fixedLease().map(Lock::micros).orElse(0L);
        maxHold = options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        atLeast = options.atLeast().map(Duration::toNanos).orElse(0L);
        behalf = options.behalf();
        boolean exclusive = weight == Resource.WHOLE;
        highestToken = new HighestToken(exclusive);
        boolean permits = capacity < Resource.WHOLE;
        // A claim that stays taken for one acquisition is not handed on, nor shared.
        alone = options.strictOrder() || fixedLease > 0 || permits || atLeast > 0;
        long idle = alone || !exclusive
                ? 0
                : options.sticky().map(Duration::toNanos).orElse(0L);
        long slice = options.slice().map(Duration::toNanos).orElse(GateKey.STORES_SLICE);
        GateKey open = new GateKey(name, capacity, weight, micros(options.lease()), slice, options.barging(), idle);
        key = ending ? open.whileEnding() : open;
    }

    /** Refuses options that need a lease of a claim's own, as far as the store is known not to have them. */
    public static void checkLease(Engine engine, String name, LockOptions options) {
        String asked = options.fixedLease().isPresent()
                ? "have a fixed lease"
                : options.atLeast().isPresent() ? "stay taken after its release" : "";
        if (!asked.isEmpty() && !engine.store().capabilities().leasePerClaim()) {
            throw new IllegalArgumentException(
                    "The lock '" + name + "' cannot " + asked + ": this store has no lease of a claim's own");
        }
    }

    /** Returns the same lock with other options. */
    Lock with(LockOptions other) {
        return new Lock(gates, key.name(), key.capacity(), key.weight(), other, key.ending());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    /** Returns the highest token that was granted through this object. */
    public HighestToken highestToken() {
        return highestToken;
    }

    int capacity() {
        return key.capacity();
    }

    LockOptions options() {
        return options;
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public String family() {
        return gates.families().nameOf(key.name());
    }

    @Override
    public boolean isLocked() {
        Store.Snapshot seen = engine.await(() -> engine.inspect(name()), "Inspecting the lock '" + name() + "'");
        Set<ClaimId> kept = gates.localInfo(name()).stream()
                .filter(own -> own.present() == null)
                .map(LocalClaimInfo::id)
                .collect(Collectors.toSet());
        return seen.resource()
                .filter(resource -> key.weight() > room(resource, seen.time(), kept))
                .isPresent();
    }

    /** Returns how much of a resource nobody has, but for what this client keeps unused. */
    private long room(Resource resource, long now, Set<ClaimId> kept) {
        long held = resource.holders().stream()
                .filter(claim -> claim.deadline() > now && !kept.contains(claim.id()))
                .mapToLong(Claim::weight)
                .sum();
        boolean used = !resource.claims().isEmpty() || resource.resized();
        return (used ? resource.capacity() : key.capacity()) - held;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        checkInterrupt();
        return start(false, Long.MAX_VALUE).await().lease().orElseThrow();
    }

    public Lease acquireUninterruptibly() {
        return start(false, Long.MAX_VALUE).awaitUninterruptibly().lease().orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return start(true, engine.requestTimeoutNanos()).awaitUninterruptibly().lease();
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long nanos = nanos("wait", wait);
        checkInterrupt();
        return start(nanos == 0, nanos == 0 ? InFlight.SLOW : nanos).await().lease();
    }

    Optional<Lease> tryAcquireUninterruptibly(long wait) {
        return start(false, wait).awaitUninterruptibly().lease();
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
    public static long nanos(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " is " + duration + ", but must not be negative");
        }
        return duration.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private BlockingWaiter start(boolean ifFree, long wait) {
        Waiter.Request request =
                new Waiter.Request(ifFree, maxHold, atLeast, highestToken, Thread.currentThread(), behalf);
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
        Waiter.Request request =
                new Waiter.Request(ifFree, maxHold, atLeast, highestToken, Thread.currentThread(), behalf);
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
        return entry == Gate.Entry.APART ? gates.forOne(key.apart(), 0) : gate();
    }

    private Gate gate() {
        if (alone) {
            checkLease(engine, name(), options); // again, as the store may not have been known yet
        }
        return alone ? gates.forOne(key, fixedLease) : gates.forAll(key);
    }

    /** Returns whether both locks stand for the same part of the same resource, by the same client. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lock lock
                && lock.gates == gates
                && lock.key.name().equals(key.name())
                && lock.key.weight() == key.weight();
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(gates) + key.name().hashCode();
    }

    @Override
    public String toString() {
        return "DistributedLock '" + name() + "'";
    }
}
