package io.belay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Requests that need one lock, worked off in batches: whoever gets the lock runs a handler over all that are pending in this
 * process, in one transaction for instance, and each caller gets its own result. A hot item with 20 ms of work per
 * transaction then serves hundreds per transaction.
 *
 * <p>At most one batch of this object runs at a time, on a thread that lives for as long as there are any. Batches
 * of several processes take turns as holders of the lock do.
 *
 * <p>Thread-safe.
 *
 * @param <Q> a request
 * @param <R> what comes of it
 */
public final class BatchedLock<Q, R extends @Nullable Object> {
    /**
     * Works off a batch.
     *
     * @param <Q> a request
     * @param <R> what comes of it
     */
    @FunctionalInterface
    public interface Handler<Q, R extends @Nullable Object> {
        /**
         * Works off a batch while the lock is held, and tells each entry what came of it. Nobody hears of it before this
         * returns, so a transaction is to be committed here. What it throws is the outcome of all entries that it has not
         * told of. Whether the lock was held to the end is for the handler to see to, by a guard that checks the lease's
         * token, or by {@link Lease#ensureHeld()} before it tells.
         *
         * @param entries what was asked for, in the order of asking
         * @param lease the hold of the lock
         */
        void handle(List<Entry<Q, R>> entries, Lease lease) throws Exception;
    }

    /**
     * One request of a batch.
     *
     * @param <Q> a request
     * @param <R> what comes of it
     */
    public static final class Entry<Q, R extends @Nullable Object> {
        private final Q request;
        private final CompletableFuture<R> asked = new CompletableFuture<>();
        private final CompletableFuture<R> outcome = new CompletableFuture<>();

        private Entry(Q request) {
            this.request = request;
        }

        /** What was asked for. */
        public Q request() {
            return request;
        }

        /** This came of it. */
        public void complete(R result) {
            outcome.complete(result);
        }

        /** It failed, and the others may have worked. */
        public void fail(Throwable error) {
            Objects.requireNonNull(error, "error");
            outcome.completeExceptionally(error);
        }

        private void tell() {
            outcome.completeExceptionally(
                    new IllegalStateException("The handler told nothing of the request " + request));
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
    private final Executor later;
    private final Queue<Entry<Q, R>> queue = new ConcurrentLinkedQueue<>();
    /** How many were submitted and are not taken out yet; whoever makes it one starts, and it runs until it is zero. */
    private final AtomicInteger pending = new AtomicInteger();

    private BatchedLock(DistributedLock lock, Handler<Q, R> handler, int most, Executor later) {
        this.lock = lock;
        this.handler = handler;
        this.most = most;
        this.later = later;
    }

    /**
     * Batches that begin at once.
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
        return new BatchedLock<>(lock, handler, checked(lock, most), BatchedLock::onThread);
    }

    /**
     * Batches that wait for more requests before they begin.
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
        Executor later = CompletableFuture.delayedExecutor(age.toNanos(), TimeUnit.NANOSECONDS, BatchedLock::onThread);
        return new BatchedLock<>(lock, handler, checked(lock, most), later);
    }

    private static int checked(DistributedLock lock, int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "Batches of the lock '" + lock.name() + "' cannot have " + most + " requests at most");
        }
        return most;
    }

    /**
     * Asks for something, without blocking.
     *
     * @return what came of it; fails with what the handler said or threw, or with what
     *     {@link DistributedLock#acquire} fails with. Its dependents run before the next batch begins
     */
    public CompletableFuture<R> submit(Q request) {
        Objects.requireNonNull(request, "request");
        Entry<Q, R> entry = new Entry<>(request);
        queue.add(entry);
        if (pending.getAndIncrement() == 0) {
            later.execute(this::work);
        }
        return entry.asked;
    }

    /** A thread of its own for as long as there is anything to do: the handler may block, and who submits must not. */
    private static void onThread(Runnable work) {
        Thread thread = new Thread(work, "belay-batch");
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        int left;
        do {
            List<Entry<Q, R>> batch = List.of();
            try (Lease lease = lock.acquire()) {
                batch = take();
                handler.handle(List.copyOf(batch), lease);
            } catch (Exception | Error e) { // of whatever kind: nobody else would tell those who wait
                batch = batch.isEmpty() ? take() : batch;
                batch.forEach(entry -> entry.fail(e));
            }
            batch.forEach(Entry::tell);
            left = pending.addAndGet(-batch.size());
        } while (left > 0);
    }

    private List<Entry<Q, R>> take() {
        List<Entry<Q, R>> batch = new ArrayList<>();
        while (batch.size() < most) {
            Entry<Q, R> entry = queue.poll();
            if (entry == null) {
                return batch;
            }
            batch.add(entry);
        }
        return batch;
    }

    @Override
    public String toString() {
        return "BatchedLock '" + lock.name() + "'";
    }
}
