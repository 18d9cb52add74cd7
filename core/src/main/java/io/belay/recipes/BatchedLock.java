package io.belay.recipes;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.support.DaemonThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
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

        private void tell() {
            if (!outcome.isDone()) {
                // Without the request's own words, which may be no more to be had: an entity's, say, whose session is
                // over.
                outcome.completeExceptionally(new IllegalStateException("The handler told nothing of this request"));
            }
            outcome.whenComplete((result, error) -> {
                if (error == null) {
                    asked.complete(result);
                } else {
                    asked.completeExceptionally(error);
                }
            });
        }
    }

    private final DistributedLock lock;
    private final Handler<Q, R> handler;
    private final int most;
    /** The time for which the first of those who wait does so, in nanoseconds. */
    private final long age;

    /** The class loader of who made this: the handler runs with it, whoever submits. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private final Queue<Entry<Q, R>> queue = new ConcurrentLinkedQueue<>();
    /** The count of requests not done yet; the submitter that makes it one has a thread started, which works until zero. */
    private final AtomicInteger pending = new AtomicInteger();
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
        Objects.requireNonNull(lock, "lock");
        Objects.requireNonNull(handler, "handler");
        return new BatchedLock<>(lock, handler, checked(lock, most), 0);
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
        if (age.isNegative()) {
            throw new IllegalArgumentException("age is " + age + ", but must not be negative");
        }
        long nanos = TimeUnit.NANOSECONDS.convert(age); // of more than 292 years that many
        return new BatchedLock<>(lock, handler, checked(lock, most), nanos);
    }

    private static int checked(DistributedLock lock, int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "Batches of the lock '" + lock.name() + "' cannot have " + most + " requests at most");
        }
        return most;
    }

    /**
     * Submits a request, without blocking.
     *
     * @return what came of it; fails with what the handler said or threw, or with what
     *     {@link DistributedLock#acquire} fails with. Its dependents run before the next batch begins
     */
    public CompletableFuture<R> submit(Q request) {
        Objects.requireNonNull(request, "request");
        Entry<Q, R> entry = new Entry<>(request);
        queue.add(entry);
        int before = pending.getAndIncrement();
        if (before == 0) {
            // What the handler does may block, and whoever submits must not.
            orFail(() -> DaemonThread.start("belay-recipe", () -> orFail(this::work)));
        } else if (before + 1 == most) {
            LockSupport.unpark(worker); // it waits for no more
        }
        return entry.asked;
    }

    /** Begins to work, or fails all who wait: the next one who submits tries again. */
    private void orFail(Runnable begin) {
        try {
            begin.run();
        } catch (RuntimeException | Error e) { // no thread is to be had, or no memory
            boolean more;
            do {
                List<Entry<Q, R>> batch = take();
                batch.forEach(entry -> entry.fail(e));
                more = tell(batch);
            } while (more);
        }
    }

    private void work() {
        worker = Thread.currentThread();
        worker.setContextClassLoader(loader);
        boolean more;
        do {
            List<Entry<Q, R>> batch = List.of();
            Thread.interrupted(); // left by the handler, or a dependent, of the batch before
            awaitOthers();
            try (Lease lease = lock.acquire()) {
                batch = take();
                handler.handle(List.copyOf(batch), lease);
            } catch (Exception | Error e) { // of whatever kind: nobody else would tell those who wait
                batch = batch.isEmpty() ? take() : batch;
                batch.forEach(entry -> entry.fail(e));
            }
            more = tell(batch);
        } while (more);
    }

    /** Waits for a full batch, until the first of those who wait has done so for long enough. */
    private void awaitOthers() {
        Entry<Q, R> first = Objects.requireNonNull(queue.peek()); // there is one, and nobody else takes it
        long left = age;
        while (left > 0 && pending.get() < most) {
            left = age - (System.nanoTime() - first.since);
            LockSupport.parkNanos(this, left);
        }
    }

    /** Tells those of a batch what came of it; returns whether others wait. */
    private boolean tell(List<Entry<Q, R>> batch) {
        for (Entry<Q, R> entry : batch) {
            try {
                entry.tell();
            } catch (Throwable e) { // as no memory is left: those behind it are told all the same
                entry.asked.completeExceptionally(e);
            }
        }
        return pending.addAndGet(-batch.size()) > 0;
    }

    private List<Entry<Q, R>> take() {
        List<Entry<Q, R>> batch = new ArrayList<>();
        for (Entry<Q, R> next = queue.peek(); next != null && batch.size() < most; next = queue.peek()) {
            batch.add(next); // first, as there may be no memory for it
            queue.remove();
        }
        return batch;
    }

    @Override
    public String toString() {
        return "BatchedLock '" + lock.name() + "'";
    }
}
