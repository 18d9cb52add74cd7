package io.belay.spring.integration;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A registry of Spring Integration's locks on any store of Belay.
 *
 * <p>A lock is reentrant and owned by threads. It is renewed while it is held, unless it was locked with a time to live:
 * then it ends by itself, or is renewed by {@link #renewLock(Object, Duration)}. On a store without leases of a claim's own, as
 * ZooKeeper, to lock with a time to live throws an {@link IllegalArgumentException}. {@code unlock} throws a
 * {@link java.util.ConcurrentModificationException} if the lock was lost before, as Spring's own registries do, and an
 * {@link IllegalMonitorStateException} where its time to live is over for more than a minute; what else may
 * be thrown is told by {@link io.belay.ReentrantDistributedLock}, whose contract this is.
 *
 * <p>A key is a string, or an object whose {@code toString} is the same on all nodes. It is the lock's name, in the
 * namespace of the client that the registry was made with: {@code BelayLockRegistry.of(belay.namespace("orders"))}. A key that
 * cannot be a name, as it is empty, too long or has control characters, is replaced by its readable beginning, {@code #} and
 * a hash.
 *
 * <p>Thread-safe. Keeps nothing of a lock once it is unlocked, or its time to live is over, and does not close the client.
 */
public final class BelayLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {
    private final Belay belay;
    private final LockOptions options;
    /** The leases that are not renewed, and for how long each was asked for, until they are given back. */
    private final ConcurrentHashMap<Lease, Duration> timesToLive = new ConcurrentHashMap<>();

    private BelayLockRegistry(Belay belay, LockOptions options) {
        this.belay = belay;
        this.options = options;
    }

    /**
     * Makes a registry whose locks have the client's default options.
     *
     * @param belay the client, or a view of it, which has to stay open while there are locks
     */
    public static BelayLockRegistry of(Belay belay) {
        return of(belay, Objects.requireNonNull(belay, "belay").lockDefaults());
    }

    /**
     * Makes a registry whose locks have options of their own; a fixed lease is the time to live where none is asked for.
     *
     * @param belay the client, or a view of it, which has to stay open while there are locks
     * @param options how locks are acquired and held
     */
    public static BelayLockRegistry of(Belay belay, LockOptions options) {
        Objects.requireNonNull(belay, "belay");
        Objects.requireNonNull(options, "options");
        return new BelayLockRegistry(belay, options);
    }

    /**
     * Returns the lock of that key. Makes no store call.
     *
     * @throws IllegalArgumentException if the key's {@code toString} is that of every object, and so another one on other
     *     nodes
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private RegistryLock lock(Object lockKey) {
        Objects.requireNonNull(lockKey, "lockKey");
        return new RegistryLock(LockKeys.lock(belay, lockKey, options), options.fixedLease(), timesToLive);
    }

    /**
     * Renews the lock that this thread holds: to the time to live that it was locked with, or else was given first, counted
     * from now. One that has none is renewed by the client in any case. Blocks for one round trip at most.
     *
     * @throws IllegalStateException if the thread does not hold the lock, or has lost it
     * @throws StoreUnavailableException if the store did not answer in time
     */
    @Override
    public void renewLock(Object lockKey) {
        Lease lease = lock(lockKey).lease();
        Duration timeToLive = timesToLive.get(lease);
        try {
            if (timeToLive == null) {
                lease.ensureHeld();
            } else {
                lease.extend(timeToLive);
            }
        } catch (LeaseLostException e) {
            throw failure(lockKey, e);
        }
    }

    /**
     * Moves the end of the lock that this thread holds to so long from now. One that was locked without a time to live has a longest
     * hold from then on, whose end is told as a loss. Blocks for one round trip.
     *
     * @throws IllegalStateException if the thread does not hold the lock, or has lost it
     * @throws StoreUnavailableException if the store did not answer in time: the end may be the new one or the old
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        try {
            Lease lease = lock(lockKey).lease();
            lease.extend(ttl);
            if (timesToLive.putIfAbsent(lease, ttl) == null) {
                lease.onLost(loss -> timesToLive.remove(lease));
            }
        } catch (LeaseLostException e) {
            throw failure(lockKey, e);
        }
    }

    /** Makes what is thrown where a lock is not held for sure. After a suspension nobody knows until the store answers. */
    private static RuntimeException failure(Object lockKey, LeaseLostException e) {
        return e.isUnsure()
                ? new StoreUnavailableException(String.valueOf(e.getMessage()), e)
                : new IllegalStateException("The lock of key '" + lockKey + "' cannot be renewed: it is lost", e);
    }

    /** Returns how many leases it knows that are not renewed. */
    int size() {
        return timesToLive.size();
    }

    /** Does nothing: there are no unused locks to forget. */
    @Override
    public void expireUnusedOlderThan(long age) {}
}
