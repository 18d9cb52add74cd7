package io.belay.internal;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Inspection;
import io.belay.LeaderElection;
import io.belay.LockOptions;
import io.belay.OncePerPeriod;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.Statistics;
import io.belay.StoreHealth;
import io.belay.internal.gate.NameRules;
import io.belay.spi.Capabilities;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A client whose names all have a prefix, and whose locks are taken on somebody's behalf.
 *
 * @param client the client that this one is a view of
 * @param prefix what precedes every name, the colon included; empty for none
 * @param behalf on whose behalf locks are taken whose options name nobody; empty for none
 */
record View(Client client, String prefix, String behalf) implements Belay {
    private String full(String name) {
        return NameRules.check("The lock's name", prefix, name);
    }

    @Override
    public LockOptions lockDefaults() {
        return options(client.lockDefaults());
    }

    private LockOptions options(LockOptions options) {
        return behalf.isEmpty() || !options.behalf().isEmpty() ? options : options.withBehalf(behalf);
    }

    @Override
    public DistributedLock lock(String name) {
        return client.lock(full(name), lockDefaults());
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        return client.lock(full(name), options(options));
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name) {
        return client.reentrantLock(full(name), lockDefaults());
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions options) {
        return client.reentrantLock(full(name), options(options));
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return client.readWriteLock(full(name), lockDefaults());
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return client.readWriteLock(full(name), options(options));
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name) {
        return client.reentrantReadWriteLock(full(name), lockDefaults());
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options) {
        return client.reentrantReadWriteLock(full(name), options(options));
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return client.semaphore(full(name), permits, lockDefaults());
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return client.semaphore(full(name), permits, options(options));
    }

    @Override
    public DistributedSemaphore semaphore(String name) {
        return client.semaphore(full(name), lockDefaults());
    }

    @Override
    public DistributedSemaphore semaphore(String name, LockOptions options) {
        return client.semaphore(full(name), options(options));
    }

    @Override
    public LeaderElection election(String name) {
        return client.election(full(name), lockDefaults());
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        return client.election(full(name), options(options));
    }

    @Override
    public DistributedCountDownLatch countDownLatch(String name) {
        return client.countDownLatch(full(name));
    }

    @Override
    public OncePerPeriod once(String name, Duration every) {
        return client.once(full(name), every, lockDefaults());
    }

    @Override
    public Capabilities capabilities() {
        return client.capabilities();
    }

    @Override
    public Belay namespace(String inner) {
        Objects.requireNonNull(inner, "prefix");
        return client.view(NameRules.check("The namespace", prefix, inner) + ":", behalf);
    }

    @Override
    public Belay as(String owner) {
        return client.view(prefix, owner);
    }

    @Override
    public List<OwnHold> holds() {
        return client.holds();
    }

    @Override
    public List<OwnWait> waits() {
        return client.waits();
    }

    @Override
    public Statistics statistics() {
        return client.statistics();
    }

    @Override
    public StoreHealth health() {
        return client.health();
    }

    @Override
    public Stream<String> names(String start) {
        return client.names(prefix, start);
    }

    @Override
    public Inspection inspect(String name) {
        return client.inspect(full(name));
    }

    @Override
    public boolean forceRelease(String name) {
        return client.forceRelease(full(name), behalf);
    }

    @Override
    public void pause(Duration drain) {
        Objects.requireNonNull(drain, "drain"); // else as close()
    }

    @Override
    public void resume() {
        // As close().
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
