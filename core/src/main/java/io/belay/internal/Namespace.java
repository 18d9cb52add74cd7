package io.belay.internal;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Inspection;
import io.belay.LeaderElection;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.internal.primitive.NameRules;
import java.time.Duration;
import java.util.Objects;

/**
 * A client whose names all have a prefix.
 *
 * @param client the client that this one is a view of
 * @param prefix what precedes every name, the colon included
 */
record Namespace(Client client, String prefix) implements Belay {
    private String full(String name) {
        return NameRules.check("The lock's name", prefix, name);
    }

    @Override
    public DistributedLock lock(String name) {
        return client.lock(full(name));
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        return client.lock(full(name), options);
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name) {
        return client.reentrantLock(full(name));
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions options) {
        return client.reentrantLock(full(name), options);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return client.readWriteLock(full(name));
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return client.readWriteLock(full(name), options);
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name) {
        return client.reentrantReadWriteLock(full(name));
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options) {
        return client.reentrantReadWriteLock(full(name), options);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return client.semaphore(full(name), permits);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return client.semaphore(full(name), permits, options);
    }

    @Override
    public LeaderElection election(String name) {
        return client.election(full(name));
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        return client.election(full(name), options);
    }

    @Override
    public DistributedCountDownLatch countDownLatch(String name) {
        return client.countDownLatch(full(name));
    }

    @Override
    public Belay namespace(String inner) {
        Objects.requireNonNull(inner, "prefix");
        return new Namespace(client, NameRules.check("The namespace", prefix, inner) + ":");
    }

    @Override
    public Inspection inspect(String name) {
        return client.inspect(full(name));
    }

    @Override
    public boolean forceRelease(String name) {
        return client.forceRelease(full(name));
    }

    @Override
    public void close() {
        // The client is closed once, where it was connected.
    }

    @Override
    public void close(Duration drain) {
        Objects.requireNonNull(drain, "drain"); // else as above
    }
}
