package io.belay.trials.jsr166.adapter;

import io.belay.ReentrantDistributedLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A lock that threads own, which is what all three of the JDK's are. */
public class OwnedLock implements Lock {
    private final ReentrantDistributedLock lock;
    final Waiters waiters;
    /** The levels that each thread was told to hold ({@code getHoldCount}), which no other thread can ask. */
    private final Map<Thread, Integer> told = new ConcurrentHashMap<>();

    OwnedLock(ReentrantDistributedLock lock, Waiters waiters) {
        this.lock = lock;
        this.waiters = waiters;
    }

    @Override
    public void lock() {
        waiters.during(() -> {
            lock.lock();
            return true;
        });
        note(lock.getHoldCount());
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        waiters.during(() -> {
            lock.lockInterruptibly();
            return true;
        });
        note(lock.getHoldCount());
    }

    @Override
    public boolean tryLock() {
        boolean locked = waiters.during(lock::tryLock);
        note(lock.getHoldCount());
        return locked;
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        boolean locked = waiters.during(() -> lock.tryLock(wait, unit));
        note(lock.getHoldCount());
        return locked;
    }

    @Override
    public void unlock() {
        note(lock.getHoldCount() - 1); // before somebody else has it, who may look
        try {
            lock.unlock();
        } finally {
            note(lock.getHoldCount());
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
        return lock.isHeldByCurrentThread();
    }

    public int getHoldCount() {
        return lock.getHoldCount();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
