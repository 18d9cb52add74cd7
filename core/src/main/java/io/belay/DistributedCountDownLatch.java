package io.belay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link java.util.concurrent.CountDownLatch} of all processes that use the same store and name: some wait until
 * others have counted down to zero. Whoever sets the count, whoever counts down and whoever waits may be different
 * processes, and the count outlives all of them.
 *
 * <p>A latch that nobody has set, or whose count has reached zero, lets everybody pass; it can then be set again. All who
 * wait are let through in the step that opens it, by a push, without polling.
 *
 * <p>A count-down holds a lock of its own while it is made, so that every one counts once, however many are made at a
 * time. {@link BelayAdmin#forceRelease} opens a latch.
 *
 * <p>Thread-safe; holds nothing by itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface DistributedCountDownLatch {
    /** The highest count that a latch can have. */
    int MAX_COUNT = 1 << 20;

    /** Returns the latch's full name, namespaces included. */
    String name();

    /**
     * Sets the count, unless there is one that has not reached zero. Blocks for a round trip, or for a few while
     * those who waited are just being let through.
     *
     * @param count from 1 to {@link #MAX_COUNT}
     * @return whether it was set: false if the latch is closed already
     * @throws IllegalArgumentException if the count is not in that range
     * @throws StoreUnavailableException if the store did not answer in time; {@link #getCount()} tells later whether the
     *     count was set; once the latch has opened use another name, as a late copy of the request might close this one again
     * @throws LockRefusedException if the name is in use as something else
     * @throws ClientClosedException if the client is closed
     */
    boolean trySetCount(int count);

    /**
     * Counts down by one; does nothing if the count is zero. Blocks for a few round trips, and longer while others count
     * down; while the store does not answer, for at most eight times the request timeout. An interrupt is kept for later.
     *
     * @return the count that is left
     * @throws StoreUnavailableException if the store did not answer in time: the message says whether the count-down was
     *     not made, or may have been
     * @throws ClientClosedException if the client is closed
     */
    long countDown();

    /**
     * Returns the count; zero if nobody has set one. Blocks for one round trip.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    long getCount();

    /**
     * Waits until the count is zero, however long that takes, also while the store cannot be reached.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the name is in use as something else
     * @throws StoreUnavailableException if the client is paused
     * @throws StoreMisconfiguredException if the store refuses
     */
    void await() throws InterruptedException;

    /**
     * Waits for a limited time.
     *
     * @param wait the longest wait, not negative; zero asks whether {@linkplain #getCount() the count} is zero now
     * @return whether the count reached zero
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws StoreUnavailableException if at the end of the time it is not known, because the store could not be reached
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the name is in use as something else, which zero does not tell
     * @throws StoreMisconfiguredException if the store refuses
     */
    boolean await(Duration wait) throws InterruptedException;

    /**
     * Does the same as {@link #await()}, without blocking. The future fails with the same exceptions; its dependents
     * run on the client's callback executor. Cancelling it ends the wait.
     */
    CompletableFuture<Void> awaitAsync();

    /**
     * Removes the count, whatever it is, and lets those through who wait. Blocks for two round trips.
     *
     * @return whether there was one
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    boolean delete();
}
