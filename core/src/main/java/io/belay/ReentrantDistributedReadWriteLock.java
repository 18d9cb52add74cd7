package io.belay;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed read-write lock with the contract of {@link ReadWriteLock}: owned by threads, each of which may lock again
 * what it holds, which makes no store call. A thread that holds the write lock may take the read lock too; if it then
 * gives the write lock back first, the readers that wait are granted at once, and nobody writes in between. A thread that
 * holds the read lock alone is refused the write lock, since it would wait for itself: {@code tryLock} returns false, at once
 * also where it was given a time, and {@code lock} and {@code lockInterruptibly} throw {@link LockRefusedException}.
 *
 * <p>All objects of one client with the same name are the same lock; {@link Belay#reentrantLock} of that name is another
 * way to the write lock, with counts of its own: a thread that holds the one would wait for itself by the other.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface ReentrantDistributedReadWriteLock extends ReadWriteLock {
    /** Returns the lock's full name, namespaces included. */
    String name();

    @Override
    ReentrantDistributedLock readLock();

    @Override
    ReentrantDistributedLock writeLock();
}
