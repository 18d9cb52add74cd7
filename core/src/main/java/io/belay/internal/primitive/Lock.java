package io.belay.internal.primitive;

import io.belay.DeadlockPolicy;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.LocalClaimInfo;
import io.belay.internal.machine.Asks;
import io.belay.internal.machine.Entry;
import io.belay.internal.machine.Failure;
import io.belay.internal.machine.InFlight;
import io.belay.internal.machine.Terms;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.support.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lock that users see, which makes waiters and brings them to the gate. */
public class Lock extends Primitive implements DistributedLock {
    private final Terms terms;
    public final LockOptions options;
    /** What callers ask for, which know the highest token that was granted through this object. */
    public final Asks asks;

    /** Called when somebody has it by this object, and has it no more, where each acquisition is a claim of its own. */
    private final @Nullable Runnable changed;

    /** Returns a lock of the whole resource, which excludes everybody else. */
    public static Lock exclusive(Gates gates, String name, LockOptions options) {
        return new Lock(gates, name, Resource.WHOLE, Resource.WHOLE, options, false, new AtomicLong());
    }

    /** Returns such a lock for a short step of those who end their work while the client drains. */
    static Lock ending(Gates gates, String name, LockOptions options) {
        return new Lock(gates, name, Resource.WHOLE, Resource.WHOLE, options, true, new AtomicLong());
    }

    /** Returns a lock of so much of a resource of that capacity, of which others may have parts at the same time. */
    static Lock shared(Gates gates, String name, int capacity, int weight, LockOptions options) {
        return new Lock(gates, name, capacity, weight, options, false, null);
    }

    Lock(
            Gates gates,
            String name,
            int capacity,
            int weight,
            LockOptions options,
            boolean ending,
            @Nullable AtomicLong highest) {
        super(DistributedLock.class, gates, name);
        this.options = options;
        long longest = options.maxHold().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        long atLeast = options.atLeast().map(Duration::toNanos).orElse(0L);
        long fixed = options.fixedLease().map(Duration::toNanos).orElse(0L);
        boolean breaks = options.deadlock().equals(Optional.of(DeadlockPolicy.THROW));
        asks = new Asks(longest, atLeast, highest, options.behalf(), breaks, false);
        // A claim that stays taken for one acquisition is not handed on, nor shared.
        boolean alone = options.strictOrder() || fixed > 0 || capacity < Resource.WHOLE || atLeast > 0;
        long idle = alone || weight < Resource.WHOLE
                ? 0
                : options.sticky().map(Duration::toNanos).orElse(0L);
        long slice = options.slice().map(Duration::toNanos).orElse(Terms.STORES_SLICE);
        Terms.Use use = alone ? Terms.Use.ONE : ending ? Terms.Use.ENDING : Terms.Use.ALL;
        ClaimSpec spec =
                ClaimSpec.of(capacity, weight, options.lease().toNanos() / 1000).withFixedLease(fixed / 1000);
        terms = new Terms(name, spec, slice, options.barging(), idle, use);
        changed = null;
    }

    private Lock(Lock like, String name, boolean patient, @Nullable Runnable changed) {
        super(DistributedLock.class, like.gates, name);
        options = like.options;
        terms = like.terms.named(name);
        asks = patient ? like.asks.patient() : like.asks.anew();
        this.changed = changed;
    }

    /** Returns a lock of another name that is had in the same way, without reading the options again. */
    public Lock named(String other) {
        if (terms.use == Terms.Use.ONE) {
            checkLease(gates, other, options);
        }
        return new Lock(this, other, false, null);
    }

    /** Returns the same lock for those who wait for long where all is well; {@code told} is called with each change, if anybody is. */
    Lock patient(@Nullable Runnable told) {
        return new Lock(this, name, true, told);
    }

    /** Refuses options that need a lease of a claim's own, as far as the store is known not to have them. */
    public static void checkLease(Gates gates, String name, LockOptions options) {
        boolean fixed = options.fixedLease().isPresent();
        if ((fixed || options.atLeast().isPresent())
                && !gates.engine.capabilities().leasePerClaim()) {
            throw new IllegalArgumentException(Failure.noLease(name, fixed).text());
        }
    }

    /**
     * Returns the same lock with other options, which notices with this one that the store went back. Not for one that
     * is {@linkplain #ending for those who end}.
     */
    Lock with(LockOptions other) {
        checkLease(gates, name, other);
        return new Lock(gates, name, capacity(), terms.spec.weight(), other, false, asks.highest);
    }

    /** Returns what is equal for all locks by which one client wants the same resource, in whatever way. */
    public static Object resource(DistributedLock lock) {
        return lock instanceof Lock known ? List.of(known.gates, known.name) : lock;
    }

    int capacity() {
        return terms.spec.capacity();
    }

    @Override
    public String family() {
        return gates.families.nameOf(name);
    }

    @Override
    public boolean isLocked() {
        Store.Snapshot seen = look("Inspecting the lock");
        Map<ClaimId, LocalClaimInfo> kept = gates.localInfo(name);
        kept.values().removeIf(own -> own.present() != null);
        long held = holders(seen)
                .filter(claim -> !kept.containsKey(claim.id())) // as nobody uses it
                .mapToLong(Claim::weight)
                .sum();
        return terms.spec.weight() > capacity(seen).orElse(capacity()) - held;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        checkInterrupt();
        return Objects.requireNonNull(start(false, Long.MAX_VALUE, Hold::await));
    }

    public Lease acquireUninterruptibly() {
        return Objects.requireNonNull(start(false, Long.MAX_VALUE, Hold::awaitUninterruptibly));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Optional.ofNullable(start(true, engine.requestTimeout(), Hold::awaitUninterruptibly));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long nanos = nanos("wait", wait);
        checkInterrupt();
        return Optional.ofNullable(start(false, nanos, Hold::await));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return startAsync(false, Long.MAX_VALUE, Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return startAsync(true, engine.requestTimeout(), Function.identity());
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return startAsync(false, nanos("wait", wait), Function.identity());
    }

    /** Tells what the body came to on the callback executor, whatever thread has ended the body and the release. */
    @Override
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> body) {
        CompletableFuture<T> work = DistributedLock.super.callAsync(body);
        CompletableFuture<T> told = new CompletableFuture<>();
        work.whenCompleteAsync(Outcome.to(told), task -> {
                    if (!told.isDone()) { // else a grant could come before the wait is given up, while a thread begins
                        engine.callbacks.run(task);
                    }
                })
                .whenComplete(Outcome.to(told)); // where no thread could be asked
        told.whenComplete((value, error) -> work.cancel(false)); // nothing happens to one that is done
        return told;
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

    /**
     * The way in which a thread waits for what it has asked for.
     *
     * @param <E> what it throws when it is interrupted
     */
    interface Waiting<E extends Exception> {
        /** Returns whether the lock is had. */
        boolean end(Hold hold) throws E;
    }

    /** Acquires for the present thread, which waits for so many nanoseconds at most; for none it asks for what is free. */
    <E extends Exception> @Nullable Lease start(boolean ifFree, long wait, Waiting<E> waiting) throws E {
        Hold hold = enter(ifFree, wait, null);
        return waiting.end(hold) ? hold : null;
    }

    /** Acquires for a future of the result, done on the callback executor; a lease that nobody takes is given back. */
    <T> CompletableFuture<T> startAsync(boolean ifFree, long wait, Function<Optional<Lease>, T> result) {
        return startAsync(ifFree, wait, result, new CompletableFuture<>());
    }

    final <T> CompletableFuture<T> startAsync(
            boolean ifFree, long wait, Function<Optional<Lease>, T> result, CompletableFuture<T> future) {
        Hold hold = enter(ifFree, wait, new Hold.Completion<>(future, result));
        hold.gate.follow(hold, future);
        return future;
    }

    /** Brings one who wants it to a gate: the present thread, or a future. */
    private Hold enter(boolean ifFree, long wait, Hold.@Nullable Completion<?> completion) {
        boolean atOnce = ifFree || wait == 0;
        Gate gate = gate();
        while (true) {
            gates.recall(gate, atOnce);
            Hold hold = new Hold(gate, asks, atOnce, completion);
            Entry entry = gate.enter(hold, wait == 0 ? InFlight.SLOW : wait);
            if (entry == Entry.ENTERED) {
                return hold;
            }
            gate = entry == Entry.APART ? gates.apart(terms.apart(), null) : gate();
        }
    }

    private Gate gate() {
        return terms.use == Terms.Use.ONE ? gates.apart(terms, changed) : gates.of(terms);
    }

    /** Returns whether both locks stand for the same part of the same resource, by the same client. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lock lock
                && lock.gates == gates
                && lock.name.equals(name)
                && lock.terms.spec.weight() == terms.spec.weight();
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(gates) + name.hashCode();
    }
}
