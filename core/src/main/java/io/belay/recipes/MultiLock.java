package io.belay.recipes;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.CheckReturnValue;
import io.belay.CheckedCallable;
import io.belay.CheckedRunnable;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.internal.primitive.Lock;
import io.belay.support.DaemonThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several locks as one: all or none of them, with one wait and one handle. They may be of different kinds and on different
 * stores.
 *
 * <p>Whoever takes several locks must take them in the same order as everybody else, or two may wait for each other for
 * ever. This class takes them in the order of their names, whatever order they are given in, and each name once. Locks of
 * one name on different stores are taken in the order in which they are given, which all callers must keep.
 *
 * <p>The leases are {@link MultiLease}s. A caller that waits for one of the locks holds those before it; they are
 * renewed. If one is lost meanwhile, {@code acquire} begins anew, after a pause that doubles up to a second and with a line in
 * the log each ten seconds at most, and {@code tryAcquire} returns empty. So locks whose leases end by themselves
 * ({@code withMaxHold}, {@code withFixedLease}) need longer ones than it takes to have all.
 *
 * <p>Thread-safe; holds nothing by itself.
 */
public final class MultiLock {
    private final List<DistributedLock> locks;
    private final String name;

    private MultiLock(List<DistributedLock> locks) {
        this.locks = locks;
        name = locks.stream().map(DistributedLock::name).collect(Collectors.joining(" + "));
    }

    /**
     * Returns all of these locks as one.
     *
     * @param locks at least one; equal ones count once: for two times two permits of one semaphore give {@code permits(4)}
     * @throws IllegalArgumentException if there is none, or two are ways to hold the same, as a read lock and its write lock
     */
    public static MultiLock of(DistributedLock... locks) {
        return of(List.of(Objects.requireNonNull(locks, "locks")));
    }

    /**
     * Returns all of these locks as one.
     *
     * @param locks at least one; equal ones count once: for two times two permits of one semaphore give {@code permits(4)}
     * @throws IllegalArgumentException if there is none, or two are ways to hold the same, as a read lock and its write lock
     */
    public static MultiLock of(Collection<? extends DistributedLock> locks) {
        Objects.requireNonNull(locks, "locks");
        if (locks.isEmpty()) {
            throw new IllegalArgumentException("There are no locks to take; give one or more");
        }
        List<DistributedLock> sorted = new ArrayList<>(new LinkedHashSet<>(locks));
        sorted.sort(Comparator.comparing(DistributedLock::name)); // of equal ones the order given decides
        var unused = sorted.stream().collect(Collectors.toMap(Lock::resource, Function.identity(), (one, other) -> {
            throw new IllegalArgumentException("There are two ways to hold '" + one.name()
                    + "' among the locks, of which one would wait for the other; give one");
        }));
        return new MultiLock(List.copyOf(sorted));
    }

    /**
     * Returns the locks of these names as one.
     *
     * @param belay where they are
     * @param names at least one; each counts once
     * @throws IllegalArgumentException if there is none, or one of them is no name
     */
    public static MultiLock of(Belay belay, Collection<String> names) {
        Objects.requireNonNull(belay, "belay");
        Objects.requireNonNull(names, "names");
        return of(names.stream().distinct().map(belay::lock).toList());
    }

    /** Returns the names of all locks, joined by " + ". */
    public String name() {
        return name;
    }

    /**
     * Takes all locks, and waits for each as long as it takes.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is held then
     * @throws BelayException what taking one of them may throw; see {@link DistributedLock#acquire}
     */
    @CheckReturnValue
    public MultiLease acquire() throws InterruptedException {
        Restarts restarts = new Restarts(name);
        while (true) {
            HeldTogether held = new HeldTogether(name, locks.size());
            if (attempt(held, lock -> Optional.of(lock.acquire()))) {
                return held;
            }
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(restarts.next(held.loss())));
        }
    }

    /**
     * Takes all locks if all are free now; an interrupt is kept for later.
     *
     * @return the hold of all, or empty if others have one of them
     * @throws BelayException what trying one of them may throw; see {@link DistributedLock#tryAcquire()}
     */
    @CheckReturnValue
    public Optional<MultiLease> tryAcquire() {
        HeldTogether held = new HeldTogether(name, locks.size());
        return attempt(held, DistributedLock::tryAcquire) ? Optional.of(held) : Optional.empty();
    }

    /**
     * Takes all locks if all are had within that time, taken together.
     *
     * @param wait the longest wait, not negative; zero for a try
     * @return the hold of all, or empty if others had one of them
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is held then
     * @throws BelayException what trying one of them may throw; see {@link DistributedLock#tryAcquire(Duration)}
     */
    @CheckReturnValue
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        long end = System.nanoTime() + Lock.nanos("wait", wait);
        HeldTogether held = new HeldTogether(name, locks.size());
        return attempt(held, lock -> lock.tryAcquire(left(end))) ? Optional.of(held) : Optional.empty();
    }

    /**
     * Runs a body under all locks and releases them, whatever the body does.
     *
     * @param body what to do while holding; its exception is thrown on as it is
     * @return what the body returned
     * @throws InterruptedException if the thread is interrupted before or while it waits for the locks
     * @throws LeaseLostException if one was lost before the body returned: its work may have overlapped with another's
     * @throws E what the body threw
     */
    public <T extends @Nullable Object, E extends Exception> T call(CheckedCallable<T, E> body)
            throws E, InterruptedException {
        Objects.requireNonNull(body, "body");
        return under(acquire(), body);
    }

    /**
     * Runs a body under all locks and releases them, whatever the body does.
     *
     * @param body what to do while holding; its exception is thrown on as it is
     * @throws InterruptedException if the thread is interrupted before or while it waits for the locks
     * @throws LeaseLostException if one was lost before the body returned: its work may have overlapped with another's
     * @throws E what the body threw
     */
    public <E extends Exception> void run(CheckedRunnable<E> body) throws E, InterruptedException {
        call(told(body));
    }

    /**
     * Runs a body under all locks, if they are had in time, and releases them, whatever the body does.
     *
     * @param wait the longest wait, not negative; zero for a try
     * @param body what to do while holding; its exception is thrown on as it is; it must not return null
     * @return what the body returned, or empty if others had one of the locks, and the body did not run
     * @throws InterruptedException if the thread is interrupted before or while it waits for the locks
     * @throws LeaseLostException if one was lost before the body returned: its work may have overlapped with another's
     * @throws E what the body threw
     */
    public <T, E extends Exception> Optional<T> tryCall(Duration wait, CheckedCallable<T, E> body)
            throws E, InterruptedException {
        Objects.requireNonNull(body, "body");
        Optional<MultiLease> had = tryAcquire(wait);
        if (had.isEmpty()) {
            return Optional.empty();
        }
        CheckedCallable<T, E> notNull = () -> Objects.requireNonNull(body.call(), "what the body returned");
        return Optional.of(under(had.get(), notNull));
    }

    /**
     * Runs a body under all locks, if they are had in time, and releases them, whatever the body does.
     *
     * @param wait the longest wait, not negative; zero for a try
     * @param body what to do while holding; its exception is thrown on as it is
     * @return whether the body ran; false if others had one of the locks
     * @throws InterruptedException if the thread is interrupted before or while it waits for the locks
     * @throws LeaseLostException if one was lost before the body returned: its work may have overlapped with another's
     * @throws E what the body threw
     */
    public <E extends Exception> boolean tryRun(Duration wait, CheckedRunnable<E> body) throws E, InterruptedException {
        return tryCall(wait, told(body)).isPresent();
    }

    private static <T extends @Nullable Object, E extends Exception> T under(MultiLease all, CheckedCallable<T, E> body)
            throws E {
        T result;
        try (all) {
            result = body.call();
            all.ensureHeld();
        }
        HeldTogether.ensureReleased(all.leases());
        return result;
    }

    private static <E extends Exception> CheckedCallable<Boolean, E> told(CheckedRunnable<E> body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return true;
        };
    }

    private interface Attempt<E extends Exception> {
        Optional<Lease> at(DistributedLock lock) throws E;
    }

    /** Takes all locks, or none if one is not had or is lost before the last is had; returns whether all are held. */
    private <E extends Exception> boolean attempt(HeldTogether held, Attempt<E> attempt) throws E {
        boolean complete = false;
        try {
            for (DistributedLock lock : locks) {
                Optional<Lease> lease = attempt.at(lock);
                if (lease.isEmpty()) {
                    return false;
                }
                held.add(lease.get());
            }
            complete = held.isHeldForSure();
            return complete;
        } finally {
            if (!complete) {
                held.discard();
            }
        }
    }

    /** Does what {@link #acquire} does without blocking; a future that is cancelled gives back what was had. */
    @CheckReturnValue
    public CompletableFuture<MultiLease> acquireAsync() {
        return new Chain<Lease, MultiLease>(DistributedLock::acquireAsync, Optional::of, Optional::orElseThrow, true)
                .start();
    }

    /** Does what {@link #tryAcquire()} does without blocking; a future that is cancelled gives back what was had. */
    @CheckReturnValue
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync() {
        return attempts(DistributedLock::tryAcquireAsync);
    }

    /**
     * Does what {@link #tryAcquire(Duration)} does without blocking; a future that is cancelled gives back what was had.
     *
     * @param wait the longest wait, not negative; zero for a try
     */
    @CheckReturnValue
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        long end = System.nanoTime() + Lock.nanos("wait", wait);
        return attempts(lock -> lock.tryAcquireAsync(left(end)));
    }

    private CompletableFuture<Optional<MultiLease>> attempts(
            Function<DistributedLock, CompletableFuture<Optional<Lease>>> asks) {
        return new Chain<Optional<Lease>, Optional<MultiLease>>(asks, Function.identity(), Function.identity(), false)
                .start();
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /** A pass that takes one lock after the other without blocking; gives all back if that fails, or is cancelled. */
    private final class Chain<S, T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Function<DistributedLock, CompletableFuture<S>> asks;
        private final Function<S, Optional<Lease>> reads;
        private final Function<Optional<MultiLease>, T> yields;
        private final @Nullable Restarts restarts;
        private HeldTogether held = new HeldTogether(name, locks.size());
        private volatile CompletableFuture<?> current = result;

        /** Makes a pass that begins anew, if {@code again} says so, where a lease is lost before all locks are had. */
        Chain(
                Function<DistributedLock, CompletableFuture<S>> asks,
                Function<S, Optional<Lease>> reads,
                Function<Optional<MultiLease>, T> yields,
                boolean again) {
            this.asks = asks;
            this.reads = reads;
            this.yields = yields;
            restarts = again ? new Restarts(name) : null;
        }

        CompletableFuture<T> start() {
            result.whenComplete((value, error) -> current.cancel(true)); // nothing happens to one that is done
            next(0);
            return result;
        }

        private void next(int at) {
            if (at == locks.size()) {
                end();
                return;
            }
            CompletableFuture<S> step = asks.apply(locks.get(at)); // itself, since a stage after it cannot cancel it
            current = step;
            step.whenComplete((value, error) -> {
                try { // without a lambda, for which there may be no memory
                    Optional<Lease> lease = error == null ? reads.apply(value) : Optional.empty();
                    if (error != null) {
                        fail(error);
                    } else if (lease.isEmpty()) {
                        held.discard();
                        result.complete(yields.apply(Optional.empty()));
                    } else {
                        held.add(lease.get());
                        next(at + 1);
                    }
                } catch (RuntimeException | Error e) {
                    fail(e);
                }
            });
            if (result.isDone()) {
                step.cancel(true);
            }
        }

        /** Goes on where nobody would hear of what is thrown: a lock may be refused, and no thread be had. */
        private void orFail(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }

        private void fail(Throwable error) {
            try {
                held.discard();
            } finally {
                result.completeExceptionally(error);
            }
        }

        private void end() {
            if (held.isHeld()) {
                end(true);
            } else { // or the clocks leave it open: then the store is asked, and this thread may not wait for it
                elsewhere(() -> end(held.isHeldForSure()));
            }
        }

        private void end(boolean areHeld) {
            if (areHeld) {
                if (!result.complete(yields.apply(Optional.of(held)))) {
                    held.discard();
                }
                return;
            }
            held.discard();
            if (restarts == null) {
                result.complete(yields.apply(Optional.empty()));
            } else if (!result.isDone()) {
                long pause = restarts.next(held.loss());
                held = new HeldTogether(name, locks.size());
                CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS, Runnable::run)
                        .execute(() -> orFail(() -> elsewhere(this::again)));
            }
        }

        private void elsewhere(Runnable step) {
            DaemonThread.start("belay-recipe", () -> orFail(step));
        }

        private void again() {
            if (!result.isDone()) {
                next(0);
            }
        }
    }

    @Override
    public String toString() {
        return "MultiLock '" + name + "'";
    }
}
