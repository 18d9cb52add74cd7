package io.belay.internal;

import io.belay.Belay;
import io.belay.BelayOptions;
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
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Inspections;
import io.belay.internal.gate.NameRules;
import io.belay.internal.primitive.Election;
import io.belay.internal.primitive.Latch;
import io.belay.internal.primitive.Lock;
import io.belay.internal.primitive.Once;
import io.belay.internal.primitive.ReadWrite;
import io.belay.internal.primitive.ReentrantLock;
import io.belay.internal.primitive.ReentrantLocks;
import io.belay.internal.primitive.ReentrantReadWrite;
import io.belay.internal.primitive.Semaphore;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Log;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The client that users see. */
public final class Client implements Belay {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The longest time that a closed client waits for its last lines to be logged. */
    private static final Duration LAST_LINES = Duration.ofMillis(200);

    private final Engine engine;
    private final Gates gates;
    private final ReentrantLocks reentrantLocks;
    private final ReentrantLocks readers;
    private final ReentrantLocks writers;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Client(Engine engine) {
        this.engine = engine;
        gates = new Gates(engine);
        reentrantLocks = new ReentrantLocks(engine.time());
        readers = new ReentrantLocks(engine.time());
        writers = new ReentrantLocks(engine.time());
    }

    /** Connects to the store behind a URL; see {@link Belay#connect(String, BelayOptions)}. */
    public static Belay connect(String url, BelayOptions options) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(options, "options");
        String expanded = Stores.expand(url);
        StoreProvider provider = Stores.provider(expanded);
        return connect((number, listener) -> provider.open(expanded, number, listener), options);
    }

    /** Connects to the store that the opener opens; see {@link Belay#connect(StoreOpener, BelayOptions)}. */
    public static Belay connect(StoreOpener store, BelayOptions options) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(options, "options");
        return open(RANDOM::nextLong, options, Time.SYSTEM, Threads.SYSTEM, store, true);
    }

    /** Opens a client on any store and clock; without a keeper thread the caller runs the timers. */
    static Client open(
            LongSupplier numbers,
            BelayOptions options,
            Time time,
            Threads threads,
            StoreOpener opener,
            boolean keeper) {
        try {
            Engine engine = new Engine(numbers, options, time, threads, opener);
            if (keeper) {
                startKeeper(engine);
            }
            return new Client(engine);
        } catch (StoreException e) {
            throw Engine.failure("", e);
        }
    }

    /** Starts the keeper, or closes the store, as without a keeper there is no client that would close it. */
    private static void startKeeper(Engine engine) {
        try {
            engine.timers().start("belay-keeper-" + engine.options().clientName());
        } catch (Throwable e) {
            engine.store().close();
            throw e;
        }
    }

    Engine engine() {
        return engine;
    }

    /** Returns the number of gates, claims and backlogs; 0 tells tests that nothing is left behind. */
    int size() {
        return gates.size() + engine.size();
    }

    /** Returns for how many threads and locks levels are counted. */
    int levels() {
        return reentrantLocks.size() + readers.size() + writers.size();
    }

    @Override
    public LockOptions lockDefaults() {
        return engine.options().lockDefaults();
    }

    @Override
    public DistributedLock lock(String name) {
        return lock(name, lockDefaults());
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        return newLock(name, options);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, lockDefaults());
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return newReadWrite(name, options);
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name) {
        return reentrantReadWriteLock(name, lockDefaults());
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options) {
        return new ReentrantReadWrite(engine, newReadWrite(name, options), readers, writers);
    }

    private ReadWrite newReadWrite(String name, LockOptions options) {
        return new ReadWrite(gates, checked(name, options), options);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return semaphore(name, permits, lockDefaults());
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return new Semaphore(gates, checked(name, options), permits, options);
    }

    @Override
    public DistributedSemaphore semaphore(String name) {
        return semaphore(name, lockDefaults());
    }

    @Override
    public DistributedSemaphore semaphore(String name, LockOptions options) {
        return new Semaphore(gates, checked(name, options), options);
    }

    @Override
    public LeaderElection election(String name) {
        return election(name, lockDefaults());
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        return new Election(gates, checked(name, options), options);
    }

    @Override
    public DistributedCountDownLatch countDownLatch(String name) {
        return new Latch(gates, NameRules.check("The latch's name", "", name));
    }

    @Override
    public OncePerPeriod once(String name, Duration every) {
        return once(name, every, lockDefaults());
    }

    OncePerPeriod once(String name, Duration every, LockOptions options) {
        if (Objects.requireNonNull(every, "every").isNegative() || every.isZero()) {
            throw new IllegalArgumentException("The period of '" + name + "' is " + every + "; give it more than zero");
        }
        return new Once(gates, newLock(name, options.withAtLeast(every)));
    }

    @Override
    public Capabilities capabilities() {
        return engine.capabilities();
    }

    private Lock newLock(String name, LockOptions options) {
        return Lock.exclusive(gates, checked(name, options), options);
    }

    private String checked(String name, LockOptions options) {
        String checked = NameRules.check("The lock's name", "", name);
        Lock.checkLease(engine, checked, Objects.requireNonNull(options, "options"));
        return checked;
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name) {
        return reentrantLock(name, lockDefaults());
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions options) {
        Lock lock = newLock(name, options);
        return new ReentrantLock(engine, lock, reentrantLocks);
    }

    @Override
    public Belay namespace(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return view(NameRules.check("The namespace", "", prefix) + ":", "");
    }

    @Override
    public Belay as(String owner) {
        return view("", owner);
    }

    Belay view(String prefix, String owner) {
        Objects.requireNonNull(owner, "owner");
        if (!prefix.isEmpty()) {
            gates.families().addNamespace(prefix);
        }
        return new View(this, prefix, owner);
    }

    @Override
    public List<OwnHold> holds() {
        return gates.holds();
    }

    @Override
    public List<OwnWait> waits() {
        return gates.waits();
    }

    @Override
    public Statistics statistics() {
        return gates.statistics();
    }

    @Override
    public StoreHealth health() {
        return engine.health();
    }

    @Override
    public Stream<String> names(String prefix) {
        return names("", prefix);
    }

    Stream<String> names(String namespace, String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        engine.checkUp("The names cannot be listed: ");
        String full = prefix.isEmpty() ? namespace : NameRules.check("The prefix", namespace, prefix);
        return NameListing.of(engine, full, namespace.length());
    }

    @Override
    public Inspection inspect(String name) {
        String checked = NameRules.check("The lock's name", "", name);
        engine.checkUp("The lock '" + checked + "' cannot be looked at: ");
        return Inspections.of(gates, checked);
    }

    @Override
    public boolean forceRelease(String name) {
        return forceRelease(name, "");
    }

    boolean forceRelease(String name, String behalf) {
        String checked = NameRules.check("The lock's name", "", name);
        engine.checkUp("The lock '" + checked + "' cannot be released by force: ");
        Answer answer = engine.await(
                () -> gates.evictions().force(checked, behalf), "Releasing the lock '" + checked + "' by force");
        return answer.state() == Answer.State.LEFT;
    }

    @Override
    public void pause(Duration drain) {
        engine.life().pause(Lock.nanos("drain", drain));
        gates.evictions().close();
    }

    @Override
    public void resume() {
        engine.life().resume();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            engine.life().close();
            gates.evictions().close();
            Log.flush(LAST_LINES);
        }
    }

    @Override
    public void close(Duration drain) {
        engine.life().drain(Lock.nanos("drain", drain));
        close();
    }
}
