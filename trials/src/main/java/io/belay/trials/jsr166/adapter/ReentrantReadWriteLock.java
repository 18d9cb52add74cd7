package io.belay.trials.jsr166.adapter;

import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/** {@link java.util.concurrent.locks.ReentrantReadWriteLock} on {@link ReentrantDistributedReadWriteLock}. */
@SuppressWarnings("serial") // a clone is another lock
public class ReentrantReadWriteLock implements ReadWriteLock, Serializable {
    private final boolean fair;
    private final String text;
    private final Waiters waiters;
    private final ReadLock read;
    private final WriteLock write;

    public ReentrantReadWriteLock() {
        this(false);
    }

    public ReentrantReadWriteLock(boolean fair) {
        this.fair = fair;
        String name = Adapters.freshName();
        OfEachClient<ReentrantDistributedReadWriteLock> lock =
                OfEachClient.make(client -> client.reentrantReadWriteLock(name, Adapters.options(fair)));
        text = lock.mine().toString();
        waiters = new Waiters(name);
        read = new ReadLock(lock.part(ReentrantDistributedReadWriteLock::readLock), waiters);
        write = new WriteLock(lock.part(ReentrantDistributedReadWriteLock::writeLock), waiters);
    }

    /** The lock that readers take. */
    public static class ReadLock extends OwnedLock {
        ReadLock(OfEachClient.Part<ReentrantDistributedLock> lock, Waiters waiters) {
            super(lock, waiters);
        }
    }

    /** The lock that writers take. */
    public static class WriteLock extends OwnedLock {
        WriteLock(OfEachClient.Part<ReentrantDistributedLock> lock, Waiters waiters) {
            super(lock, waiters);
        }
    }

    @Override
    public ReadLock readLock() {
        return read;
    }

    @Override
    public WriteLock writeLock() {
        return write;
    }

    public final boolean isFair() {
        return fair;
    }

    public boolean isWriteLocked() {
        return write.levels() > 0 && waiters.isHeld();
    }

    public boolean isWriteLockedByCurrentThread() {
        return write.isHeldByCurrentThread();
    }

    public int getWriteHoldCount() {
        return write.getHoldCount();
    }

    public int getReadHoldCount() {
        return read.getHoldCount();
    }

    public int getReadLockCount() {
        return waiters.isHeld() ? read.levels() : 0;
    }

    protected @Nullable Thread getOwner() {
        return isWriteLocked() ? waiters.owner() : null;
    }

    public final boolean hasQueuedThreads() {
        return waiters.count() > 0;
    }

    public final boolean hasQueuedThread(Thread thread) {
        return waiters.contains(thread);
    }

    public final int getQueueLength() {
        return waiters.count();
    }

    protected Collection<Thread> getQueuedThreads() {
        return waiters.threads();
    }

    public boolean hasWaiters(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    public int getWaitQueueLength(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    protected Collection<Thread> getWaitingThreads(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    @Override
    public String toString() {
        return text;
    }

    private Object writeReplace() throws NotSerializableException {
        if (!Adapters.areClonesAllowed()) {
            throw new NotSerializableException(getClass().getName());
        }
        return new Clone(fair);
    }

    private record Clone(boolean fair) implements Serializable {
        private Object readResolve() {
            return new ReentrantReadWriteLock(fair);
        }
    }
}
