package io.belay.trials.jsr166.adapter;

import io.belay.ReentrantDistributedLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A lock that threads own, which is what all three of the JDK's are. */
public class OwnedLock implements Lock {
    private final OfEachClient.Part<ReentrantDistributedLock> lock;
    final Waiters waiters;
    /** The levels that each thread was told to hold ({@code getHoldCount}), which no other thread can ask. */
    private final Map<Thread, Integer> told = new ConcurrentHashMap<>();

    OwnedLock(OfEachClient.Part<ReentrantDistributedLock> lock, Waiters waiters) {
        this.lock = lock;
        this.waiters = waiters;
    }

    @Override
    public void lock() {
        waiters.during(() -> {
            lock.mine().lock();
            return true;
        });
        note(lock.mine().getHoldCount());
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        waiters.during(() -> {
            lock.mine().lockInterruptibly();
            return true;
        });
        note(lock.mine().getHoldCount());
    }

    @Override
    public boolean tryLock() {
        boolean locked = waiters.during(lock.mine()::tryLock);
        note(lock.mine().getHoldCount());
        return locked;
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        boolean locked = waiters.during(() -> lock.mine().tryLock(wait, unit));
        note(lock.mine().getHoldCount());
        return locked;
    }

    @Override
    public void unlock() {
        note(lock.mine().getHoldCount() - 1); // before somebody else has it, who may look
        try {
            lock.mine().unlock();
        } finally {
            note(lock.mine().getHoldCount());
        }
    }

    private void note(int levels) {
        if (levels > 0) {
            told.put(Thread.currentThread(), levels);
        } else {
            told.remove(Thread.currentThread());
        }
    }

    /** Adds up the levels of all threads. */
    int levels() {
        return told.values().stream().mapToInt(Integer::intValue).sum();
    }

    public boolean isHeldByCurrentThread() {
        return lock.mine().isHeldByCurrentThread();
    }

    public int getHoldCount() {
        return lock.mine().getHoldCount();
    }

    @Override
    public Condition newCondition() {
        return lock.mine().newCondition();
    }

    @Override
    public String toString() {
        return lock.mine().toString();
    }
}
