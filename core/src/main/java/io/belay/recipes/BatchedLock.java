package io.belay.recipes;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.support.DaemonThread;
import io.belay.support.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests that need one lock, worked off in batches: a thread takes the lock and runs a handler over all
 * requests that are pending in this process, in one transaction for instance, and each caller gets its own result. A
 * hot item with 20 ms of work per transaction then serves hundreds per transaction.
 *
 * <p>At most one batch of this object runs at a time, on a thread that lives for as long as there are requests.
 * Batches of several processes take turns as holders of the lock do.
 *
 * <p>Thread-safe.
 *
 * @param <Q> a request
 * @param <R> what comes of it
 */
public final class BatchedLock<Q, R extends @Nullable Object> {
    /**
     * The user's code that works off a batch.
     *
     * @param <Q> a request
     * @param <R> what comes of it
     */
    @FunctionalInterface
    public interface Handler<Q, R extends @Nullable Object> {
        /**
         * Works off a batch while the lock is held, and tells each entry what came of it. The callers are told once
         * this method has returned, so a transaction is to be committed here: before any entry is told, as what this method
         * throws is the outcome of those alone that it has told nothing. The handler has to see to it that the lock was held to the end, by a
         * guard that checks the lease's token, or by {@link Lease#ensureHeld()} before it tells.
         *
         * @param entries what was asked for, in the order of asking
         * @param lease the hold of the lock
         */
        void handle(List<Entry<Q, R>> entries, Lease lease) throws Exception;
    }

    /**
     * A request of a batch.
     *
     * @param <Q> a request
     * @param <R> what comes of it
     */
    public static final class Entry<Q, R extends @Nullable Object> {
        private final Q request;
        private final CompletableFuture<R> asked = new CompletableFuture<>();
        private final CompletableFuture<R> outcome = new CompletableFuture<>();
        private final long since = System.nanoTime();

        private Entry(Q request) {
            this.request = request;
        }

        /** Returns what was asked for. */
        public Q request() {
            return request;
        }

        /** Tells what came of the request. */
        public void complete(R result) {
            outcome.complete(result);
        }

        /** Tells that the request failed; the others may have worked. */
        public void fail(Throwable error) {
            Objects.requireNonNull(error, "error");
            outcome.completeExceptionally(error);
        }

        /** Tells the one who asked what the handler said, else how the batch has failed, else that nothing was said. */
        private void tell(@Nullable Throwable failure) {
            if (!outcome.isDone()) {
                // Without the request's own words, which may be no more to be had: an entity's, say, whose session is
                // over.
                outcome.completeExceptionally(
                        failure == null
                                ? new IllegalStateException("The handler told nothing of this request")
                                : failure);
            }
            outcome.whenComplete(Outcome.to(asked));
        }
    }

    /** The time after which a request is told again that could not be, in nanoseconds. */
    private static final long AGAIN = 100_000_000;

    private final DistributedLock lock;
    private final Handler<Q, R> handler;
    private final int most;
    /** The time for which the first of those who wait does so, in nanoseconds. */
    private final long age;

    /** The class loader of who made this: the handler runs with it, whoever submits. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /** The requests of which it was not told yet what came of them: those that are worked off are the first. */
    private final Queue<Entry<Q, R>> queue = new ConcurrentLinkedQueue<>();
    /** The number of those. */
    private final AtomicInteger pending = new AtomicInteger();
    /** True while a thread works, which does so until there are none. */
    private final AtomicBoolean isWorking = new AtomicBoolean();
    /** The thread that works, or worked last; null before the first. */
    private volatile @Nullable Thread worker;

    private BatchedLock(DistributedLock lock, Handler<Q, R> handler, int most, long age) {
        this.lock = lock;
        this.handler = handler;
        this.most = most;
        this.age = age;
    }

    /**
     * Returns a lock whose batches begin at once.
     *
     * @param lock what is held while the handler runs
     * @param most the most requests in a batch, at least 1
     * @param handler works off a batch
     * @throws IllegalArgumentException if a batch could have no request
     */
    public static <Q, R extends @Nullable Object> BatchedLock<Q, R> of(
            DistributedLock lock, int most, Handler<Q, R> handler) {
        return of(lock, most, Duration.ZERO, handler);
    }

    /**
     * Returns a lock whose batches wait for more requests before they begin, until they are full.
     *
     * @param lock what is held while the handler runs
     * @param most the most requests in a batch, at least 1
     * @param age for how long the first of several requests waits for others
     * @param handler works off a batch
     * @throws IllegalArgumentException if a batch could have no request, or the age is negative
     */
    public static <Q, R extends @Nullable Object> BatchedLock<Q, R> of(
            DistributedLock lock, int most, Duration age, Handler<Q, R> handler) {
        Objects.requireNonNull(lock, "lock");
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(handler, "handler");
        if (most < 1) {
            throw new IllegalArgumentException(
                    "Batches of the lock '" + lock.name() + "' cannot have " + most + " requests at most");
        }
        if (age.isNegative()) {
            throw new IllegalArgumentException("age is " + age + ", but must not be negative");
        }
        return new BatchedLock<>(lock, handler, most, TimeUnit.NANOSECONDS.convert(age)); // at most 292 years
    }

    /**
     * Submits a request, without blocking.
     *
     * @return what came of it; fails with what the handler said or threw, or with what
     *     {@link DistributedLock#acquire} fails with. Its dependents run before the next batch begins. Cancelling it, or
     *     completing it in another way, takes the request back, unless its batch has begun
     */
    public CompletableFuture<R> submit(Q request) {
        Objects.requireNonNull(request, "request");
        Entry<Q, R> entry = new Entry<>(request);
        queue.add(entry);
        if (pending.incrementAndGet() == most) {
            LockSupport.unpark(worker); // it waits for no more
        }
        begin();
        return entry.asked;
    }

    /** Has a thread work, unless one does: what the handler does may block, and whoever submits must not. */
    private void begin() {
        while (!isWorking.get() && !queue.isEmpty() && isWorking.compareAndSet(false, true)) {
            try {
                DaemonThread.start("belay-recipe", this::work);
                return;
            } catch (Throwable e) { // no thread is to be had, or no memory
                try {
                    tell(pending.get(), e); // who asks anew as it is told is tried for anew
                } finally { // the next one who submits tries again
                    isWorking.set(false);
                }
            }
        }
    }

    private void work() {
        try {
            worker = Thread.currentThread();
            worker.setContextClassLoader(loader);
            while (!queue.isEmpty()) {
                workOff();
            }
        } finally {
            isWorking.set(false);
            begin(); // for those who have come just now
        }
    }

    /** Works off a batch, which stays in the queue until all are told: whatever fails, nobody is left out. */
    private void workOff() {
        List<Entry<Q, R>> batch = List.of();
        Throwable failure = null;
        awaitOthers();
        try (Lease lease = acquired()) {
            batch = next();
            if (!batch.isEmpty()) {
                handler.handle(batch, lease);
            }
        } catch (Exception | Error e) { // of whatever kind: nobody else would tell those who wait
            failure = e;
        }
        // If there was no lock, those who have asked so far: who asks once one of them was told is none of it.
        tell(batch.isEmpty() && failure != null ? Math.min(most, pending.get()) : batch.size(), failure);
    }

    /** Returns the next batch, and takes those out of the queue who want nothing any more. */
    private List<Entry<Q, R>> next() {
        List<Entry<Q, R>> batch = new ArrayList<>();
        for (Iterator<Entry<Q, R>> those = queue.iterator(); batch.size() < most && those.hasNext(); ) {
            Entry<Q, R> entry = those.next();
            if (entry.asked.isDone()) {
                those.remove();
                pending.decrementAndGet();
            } else {
                batch.add(entry);
            }
        }
        return batch;
    }

    /** Takes the lock. An interrupt was meant for the handler of the batch before, or a dependent, and comes late. */
    private Lease acquired() {
        while (true) {
            try {
                return lock.acquire();
            } catch (InterruptedException e) {
                // Those who wait now have nothing to do with it.
            }
        }
    }

    /** Waits for a full batch, until the first of those who wait has done so for long enough. */
    private void awaitOthers() {
        Entry<Q, R> first = queue.element(); // there is one, and nobody else takes it
        long left = age;
        while (left > 0 && pending.get() < most) {
            left = age - (System.nanoTime() - first.since);
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // with which nobody sleeps
        }
    }

    /** Tells the first so many of those who wait. */
    private void tell(int size, @Nullable Throwable failure) {
        for (int told = 0; told < size && !queue.isEmpty(); told++) {
            Entry<Q, R> entry = queue.element();
            while (!entry.asked.isDone()) {
                try {
                    entry.tell(failure);
                } catch (OutOfMemoryError e) { // there may be some in a moment
                    LockSupport.parkNanos(this, AGAIN);
                } catch (Throwable e) {
                    entry.asked.completeExceptionally(e);
                }
            }
            queue.remove();
            pending.decrementAndGet();
        }
    }

    @Override
    public String toString() {
        return "BatchedLock '" + lock.name() + "'";
    }
}
