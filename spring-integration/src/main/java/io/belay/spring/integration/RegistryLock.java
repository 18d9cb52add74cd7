package io.belay.spring.integration;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReentrantDistributedLock;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A reentrant lock as Spring Integration knows it. All objects of one key are the same lock. */
final class RegistryLock implements DistributedLock {
    private final ReentrantDistributedLock lock;
    private final Optional<Duration> defaultTimeToLive;
    private final Map<Lease, Duration> timesToLive;

    RegistryLock(
            ReentrantDistributedLock lock, Optional<Duration> defaultTimeToLive, Map<Lease, Duration> timesToLive) {
        this.lock = lock;
        this.defaultTimeToLive = defaultTimeToLive;
        this.timesToLive = timesToLive;
    }

    Lease lease() {
        if (lock.getHoldCount() == 0) {
            throw new IllegalStateException(
                    "The thread '" + Thread.currentThread().getName() + "' does not hold the lock '" + lock.name()
                            + "', which is to be renewed");
        }
        return lock.lease();
    }

    @Override
    public void lock() {
        lock.lock();
        locked(defaultTimeToLive);
    }

    @Override
    public void lock(Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        lock.lock(ttl);
        locked(Optional.of(ttl));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
        locked(defaultTimeToLive);
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock() && locked(defaultTimeToLive);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit) && locked(defaultTimeToLive);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        Objects.requireNonNull(waitTime, "waitTime");
        Objects.requireNonNull(ttl, "ttl");
        return lock.tryLock(waitTime, ttl) && locked(Optional.of(ttl));
    }

    /**
     * Notes for how long the lease of the outer level was asked for, until it ends or is given back. An inner level begins that
     * anew, as Spring's registries do: its leaders live by that.
     */
    private boolean locked(Optional<Duration> timeToLive) {
        Lease lease = lock.lease();
        if (lock.getHoldCount() > 1) {
            Duration outer = timesToLive.get(lease);
            if (outer != null) {
                lengthen(
                        lease,
                        timeToLive.filter(its -> its.compareTo(outer) > 0).orElse(outer));
            }
        } else if (timeToLive.isPresent()) {
            timesToLive.put(lease, timeToLive.get());
            lease.onLost(loss -> timesToLive.remove(lease));
        }
        return true;
    }

    /** Has the lease end so long from now if it would end before; if that fails the inner level is given back. */
    private void lengthen(Lease lease, Duration timeToLive) {
        try {
            if (lease.remaining().compareTo(timeToLive) < 0) {
                lease.extend(timeToLive);
            }
        } catch (RuntimeException e) {
            try {
                lock.unlock();
            } catch (LeaseLostException lost) {
                e.addSuppressed(lost);
            }
            throw e;
        }
    }

    @Override
    public void unlock() {
        if (lock.getHoldCount() == 1) {
            timesToLive.remove(lock.lease());
        }
        try {
            lock.unlock();
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost = new ConcurrentModificationException(e.getMessage());
            lost.initCause(e);
            throw lost;
        }
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    /** Returns whether the other is the same lock of the same registry. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RegistryLock that
                && timesToLive == that.timesToLive
                && lock.name().equals(that.lock.name());
    }

    @Override
    public int hashCode() {
        return lock.name().hashCode();
    }

    @Override
    public String toString() {
        return "BelayLockRegistry's '" + lock.name() + "'";
    }
}
