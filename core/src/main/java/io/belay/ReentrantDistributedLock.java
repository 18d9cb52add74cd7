package io.belay;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock with the contract of {@link Lock}: owned by the thread that locked it, which may lock it again.
 * Locking again and unlocking an inner level is a local count and makes no store call. All objects of one client with
 * the same name are the same lock, but for the write lock of {@link Belay#reentrantReadWriteLock}: that has counts of its own,
 * and a thread that holds the one would wait for itself by the other.
 *
 * <p>Where the lease of the outer level is lost, locking again throws {@link LeaseLostException}, since the code around
 * it believes in an exclusion that is gone; {@link #unlock()} throws {@link LeaseLostException}, once for each level.
 * A thread that has been told of the loss once, by that exception or by {@link #isHeldByCurrentThread()}, begins anew when it
 * locks next: the lost levels go, whether or not they were unlocked. Those of a fixed lease that has ended as it was asked to,
 * or of a lease that was released by itself, go at once, and nothing is thrown. So a {@code tryLock(wait, lease)} that is
 * never unlocked keeps the lock for its lease, and leaves nothing behind; but the thread itself, which holds the lock, is let in
 * again all that while. What is to run once in that time takes a {@link DistributedLock}, or {@link Belay#once}.
 *
 * <p>A minute after a fixed lease has ended, or one was lost of which the thread has been told, its levels may be forgotten, and
 * {@link #unlock()} then throws {@link
 * IllegalMonitorStateException}.
 *
 * <p>A thread that ends while it holds the lock leaves it held: a fixed lease ends by itself, one that is renewed lasts until
 * the client is closed or {@link BelayAdmin#forceRelease} takes it away.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface ReentrantDistributedLock extends Lock {
    /** Returns the lock's full name, namespaces included. */
    String name();

    /**
     * Waits for the lock, not interruptibly: an interrupt is kept for later.
     *
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreUnavailableException if the client is paused
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @Override
    void lock();

    /**
     * Waits for the lock, not interruptibly, and holds it for a fixed lease that is not renewed. On a lock that the
     * thread holds already it only counts; the lease stays what it was.
     *
     * @param lease how long it is held at most; from 10 milliseconds to 365 days
     * @throws IllegalArgumentException if the lease is not, or the store has no leases of a lock's own, as ZooKeeper has none
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreUnavailableException if the client is paused
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    void lock(Duration lease);

    /**
     * Waits for the lock.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreUnavailableException if the client is paused
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Waits for the lock, and holds it for a fixed lease that is not renewed. On a lock that the thread holds already it only
     * counts; the lease stays what it was.
     *
     * @param lease how long it is held at most; from 10 milliseconds to 365 days
     * @throws IllegalArgumentException if the lease is not, or the store has no leases of a lock's own, as ZooKeeper has none
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreUnavailableException if the client is paused
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    void lockInterruptibly(Duration lease) throws InterruptedException;

    /**
     * Locks if the lock is free now, in one round trip at most.
     *
     * @return whether the thread holds the lock now
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     */
    @Override
    boolean tryLock();

    /**
     * Waits for the lock for a limited time.
     *
     * @return whether the thread holds the lock now
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws StoreUnavailableException if at the end of the time it is not known whether others have the lock
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @Override
    boolean tryLock(long wait, TimeUnit unit) throws InterruptedException;

    /**
     * Waits for the lock for a limited time, and holds it for a fixed lease that is not renewed.
     *
     * @param wait the longest wait; zero or less does not wait
     * @param lease how long it is held at most; from 10 milliseconds to 365 days
     * @return whether the thread holds the lock now
     * @throws IllegalArgumentException if the lease is not, or the store has no leases of a lock's own, as ZooKeeper has none
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LeaseLostException if the thread holds the lock and has lost its lease
     * @throws DeadlockException if the wait is part of a deadlock and the one to give up; see {@link LockOptions#withDeadlock}
     * @throws StoreUnavailableException if at the end of the time it is not known whether others have the lock
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Gives one level back; the last one releases the lock and blocks for one round trip. Where the store does not answer
     * within the request timeout, that is logged and the lock is free for others as soon as the store has the message, or
     * when the lease ends: it is not lost by that.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws LeaseLostException if its lease was lost meanwhile; the level is given back all the same
     */
    @Override
    void unlock();

    /** Throws, since a waiting condition would have to survive the loss of the lock, which no lease can promise. */
    @Override
    Condition newCondition();

    /**
     * Returns whether this thread has the lock to unlock: until its lease is over, or known to be lost. Waits for no store. Where the
     * answer is no as the lease is lost, the thread counts as told of that: it may lock again, and an {@link #unlock()} before that
     * still throws. While nobody knows, as the machine seems to have slept, the answer is yes; {@link Lease#isHeld()} says no then.
     */
    boolean isHeldByCurrentThread();

    /**
     * Returns whether others or this thread have what this lock needs, as {@link DistributedLock#isLocked()} does. Blocks for
     * one round trip.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    boolean isLocked();

    /** Returns how many levels this thread has still to unlock, lost ones included; 0 if none. Makes no store call. */
    int getHoldCount();

    /**
     * Returns the lease that this thread holds, for its token and its {@code onLost}. It is not to be given to {@code tryUpgrade},
     * {@code downgrade} or {@code reduceTo}: the thread's levels would not learn of what it becomes.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     */
    Lease lease();
}
