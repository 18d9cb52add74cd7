package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one holder at a time has, among all processes that use the same store and name.
 *
 * <p>It is not reentrant and not owned by threads: whoever has the {@link Lease} holds the lock and may release it, on
 * any thread. {@link Belay#reentrantLock} is the view for code that thinks in threads.
 *
 * <p>{@code acquire} waits and throws, {@code tryAcquire} returns an empty Optional when the lock was not had in time,
 * {@code ...Async} never blocks. Cancelling a future, interrupting a waiting thread or running out of time leaves the
 * queue. Within one client a thread that runs may come before one that is still waking up, unless it is
 * {@linkplain LockOptions#withBarging without barging}, where the order is first come, first served; between clients it
 * is the order of their turns, each of which lasts a {@linkplain LockOptions#slice() slice}, unless
 * {@linkplain LockOptions#strictOrder() strict order} is asked for.
 *
 * <p>A lease bounds how long a dead holder keeps the lock. It does not stop a holder that was paused from going on
 * after its lease ended: {@link Lease#token()} and a guard at the resource do.
 *
 * <p>Thread-safe; holds nothing by itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface DistributedLock {
    /** Returns the lock's full name, namespaces included. */
    String name();

    /** Returns the family for which the lock is counted in {@link BelayAdmin#statistics()}; asks the store nothing. */
    String family();

    /**
     * Returns whether others have what this lock needs, so that nobody could take it now: a lock, or the lock of writers, if
     * anybody holds it; that of readers if a writer does; permits if fewer than these are free. Who waits does not matter, and
     * the answer may be out of date when it is there: it is for people and metrics, not for deciding whether to lock. A
     * {@linkplain LockOptions#sticky() sticky} lock that another client keeps unused counts as held. Blocks for one round trip.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    boolean isLocked();

    /**
     * Waits until the lock is had, however long that takes, also while the store cannot be reached.
     *
     * @throws StoreUnavailableException if the client is paused
     * @throws InterruptedException if the thread is interrupted before or while it waits; the claim has then left the
     *     queue, or, if the store does not answer within 200 milliseconds, leaves it as soon as the store does
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws DeadlockException if {@link LockOptions#withDeadlock} says so, and the wait is the one to give up
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @CheckReturnValue
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the lock if it is free now: neither held nor waited for. Blocks for at most one round trip (of readers and for
     * permits on etcd and ZooKeeper: and one for each that came before it in this client), and not at all if this client
     * knows that it is taken.
     *
     * @return the lease, or empty if the lock is taken
     * @throws StoreUnavailableException if the store did not answer within the request timeout, on a new connection within
     *     twice that
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     */
    @CheckReturnValue
    Optional<Lease> tryAcquire();

    /**
     * Waits for the lock for a limited time.
     *
     * @param wait the longest wait, not negative; zero is for a try that waits no longer than 200 milliseconds for the
     *     store's answer
     * @return the lease, or empty if others had the lock all the while; the claim has then left the queue, or, if the store
     *     does not answer within 200 milliseconds, leaves it as soon as the store does. The place in the queue of a client
     *     that has just tried before, within 50 milliseconds, is kept as long for its next try
     * @throws InterruptedException if the thread is interrupted before or while it waits; the claim has then left the
     *     queue, or, if the store does not answer within 200 milliseconds, leaves it as soon as the store does
     * @throws StoreUnavailableException if at the end of the time it is not known whether others had it, because the
     *     store could not be reached; a wait shorter than a round trip ends when the store has answered, or after 200
     *     milliseconds
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws DeadlockException if {@link LockOptions#withDeadlock} says so, and the wait is the one to give up
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @CheckReturnValue
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Does the same as {@link #acquire()}, without blocking. The future fails with the same exceptions; its
     * dependents run on the client's callback executor. Cancelling it leaves the queue, unless it is done: the lease in it is
     * the caller's, also where nobody looks for it any more, and is renewed until somebody gives it back. {@link #callAsync}
     * gives it back in any case.
     */
    @CheckReturnValue
    CompletableFuture<Lease> acquireAsync();

    /**
     * Does the same as {@link #tryAcquire()}, without blocking. The future fails with the same exceptions; its
     * dependents run on the client's callback executor. Cancelling it, and whose the lease is: see {@link #acquireAsync}.
     */
    @CheckReturnValue
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /**
     * Does the same as {@link #tryAcquire(Duration)}, without blocking. The future fails with the same exceptions;
     * its dependents run on the client's callback executor. Cancelling it, and whose the lease is: see {@link #acquireAsync}.
     *
     * @param wait the longest wait, not negative
     */
    @CheckReturnValue
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /**
     * Runs a body under the lock and releases it, whatever the body does. Of a body that throws nothing checked the compiler asks
     * for nothing; Kotlin, which has no checked exceptions, needs the types: {@code lock.call<Int, Exception> { count() }}.
     *
     * @param body what to do while holding; its exception is thrown on as it is
     * @return what the body returned
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     * @throws LeaseLostException if the lease was lost before the body returned: its work may have overlapped with
     *     another holder's
     * @throws E what the body threw
     */
    default <T extends @Nullable Object, E extends Exception> T call(CheckedCallable<T, E> body)
            throws E, InterruptedException {
        Objects.requireNonNull(body, "body");
        return Body.under(acquire(), body);
    }

    /**
     * Takes the lock without blocking, runs a body under it that does not block either, and gives the lock back once the body
     * has come to its end, whatever becomes of the future that is returned.
     *
     * @param body starts the work, on the client's callback executor, or in this call where the lock is had at once; what it
     *     returns tells the work's end
     * @return what the body came to. It fails with what the body failed with, with {@link LeaseLostException} if the lease was
     *     lost before the body ended, or with what {@link #acquire()} throws. Cancelling it leaves the queue; a body that has
     *     begun goes on, and the lock is given back at its end
     */
    @CheckReturnValue
    default <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> body) {
        Objects.requireNonNull(body, "body");
        CompletableFuture<Lease> acquiring = acquireAsync();
        CompletableFuture<T> result = new CompletableFuture<>();
        acquiring.whenComplete((lease, refusal) -> {
            if (refusal != null) {
                result.completeExceptionally(refusal);
            } else if (result.isDone()) {
                lease.releaseAsync();
            } else {
                AsyncBody.run(lease, body, result);
            }
        });
        result.whenComplete((value, error) -> acquiring.cancel(false)); // nothing happens to one that is done
        return result;
    }

    /**
     * Runs a body under the lock, if it is had in time, and releases it, whatever the body does.
     *
     * @param wait the longest wait, not negative; zero for a try
     * @param body what to do while holding; its exception is thrown on as it is; it must not return null
     * @return what the body returned, or empty if others had the lock all the while, and the body did not run
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     * @throws LeaseLostException if the lease was lost before the body returned: its work may have overlapped with
     *     another holder's
     * @throws StoreUnavailableException if at the end of the time it is not known whether others had the lock
     * @throws E what the body threw
     */
    default <T, E extends Exception> Optional<T> tryCall(Duration wait, CheckedCallable<T, E> body)
            throws E, InterruptedException {
        Objects.requireNonNull(wait, "wait");
        Objects.requireNonNull(body, "body");
        Optional<Lease> had = tryAcquire(wait);
        if (had.isEmpty()) {
            return Optional.empty();
        }
        CheckedCallable<T, E> notNull = () -> Objects.requireNonNull(body.call(), "what the body returned");
        return Optional.of(Body.under(had.get(), notNull));
    }

    /**
     * Runs a body under the lock, if it is had in time, and releases it, whatever the body does.
     *
     * @param wait the longest wait, not negative; zero for a try
     * @param body what to do while holding; its exception is thrown on as it is
     * @return whether the body ran; false if others had the lock all the while
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     * @throws LeaseLostException if the lease was lost before the body returned: its work may have overlapped with
     *     another holder's
     * @throws StoreUnavailableException if at the end of the time it is not known whether others had the lock
     * @throws E what the body threw
     */
    default <E extends Exception> boolean tryRun(Duration wait, CheckedRunnable<E> body)
            throws E, InterruptedException {
        return tryCall(wait, Body.told(body)).isPresent();
    }

    /**
     * Runs a body under the lock and releases it, whatever the body does.
     *
     * @param body what to do while holding; its exception is thrown on as it is
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     * @throws LeaseLostException if the lease was lost before the body returned: its work may have overlapped with
     *     another holder's
     * @throws E what the body threw
     */
    default <E extends Exception> void run(CheckedRunnable<E> body) throws E, InterruptedException {
        call(Body.told(body));
    }
}
