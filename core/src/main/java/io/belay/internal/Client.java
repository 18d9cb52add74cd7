package io.belay.internal;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedSemaphore;
import io.belay.LeaderElection;
import io.belay.LockOptions;
import io.belay.OncePerPeriod;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.UrlOpener;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
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
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.support.Log;
import io.belay.support.NameRules;
import io.belay.support.UrlPasswords;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The client that users see, or a view of it: its names all have a prefix, and its locks are taken on somebody's behalf. What a
 * client and its views have in common is the same object in all of them.
 */
public final class Client implements Belay {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The longest time that a closed client waits for its last lines to be logged. */
    private static final Duration LAST_LINES = Duration.ofMillis(200);

    /** For which threads levels are counted: of reentrant locks, and of either side of reentrant read-write locks. */
    record Counts(ReentrantLocks locks, ReentrantLocks readers, ReentrantLocks writers) {}

    private final Gates gates;
    final Counts counts;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** True for a view, which is neither closed nor paused: the client is, where it was connected. */
    private final boolean isView;

    /** What precedes every name, the colon included; empty for none. */
    private final String prefix;

    /** On whose behalf locks are taken whose options name nobody; empty for none. */
    private final String behalf;

    /** A lock with the default options, like which all are that are asked for without any. */
    private final Lock usual;

    private Client(Gates gates, Counts counts, boolean isView, String prefix, String behalf) {
        this.gates = gates;
        this.counts = counts;
        this.isView = isView;
        this.prefix = prefix;
        this.behalf = behalf;
        LockOptions defaults = engine().options.lockDefaults();
        usual = Lock.exclusive(gates, "", behalf.isEmpty() ? defaults : defaults.withBehalf(behalf));
    }

    /** Connects to the store behind a URL; see {@link Belay#connect(String, BelayOptions)}. */
    public static Belay connect(String url, BelayOptions options) {
        Objects.requireNonNull(options, "options");
        return Stores.with(url, (provider, expanded) -> {
            if (options.connectMode() == ConnectMode.LATER) {
                var unused = provider.schema(expanded); // refuses a URL that is wrong, and asks no store
            }
            return connect(new UrlOpener(provider, expanded, UrlPasswords.maskUrl(url)), options);
        });
    }

    /** Connects to the store that the opener opens; see {@link Belay#connect(StoreOpener, BelayOptions)}. */
    public static Belay connect(StoreOpener store, BelayOptions options) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(options, "options");
        return open(RANDOM::nextLong, options, Time.SYSTEM, Threads.SYSTEM, store, true);
    }

    /** Opens a client on any store and clock; without a keeper thread the caller runs the timers. */
    static Client open(
            LongSupplier numbers, BelayOptions options, Time time, Threads threads, StoreOpener store, boolean keeper) {
        try {
            Engine engine = new Engine(numbers, options, time, threads, store);
            if (keeper) {
                startKeeper(engine);
            }
            Counts counts = new Counts(new ReentrantLocks(time), new ReentrantLocks(time), new ReentrantLocks(time));
            return new Client(new Gates(engine), counts, false, "", "");
        } catch (StoreException e) {
            throw Engine.failure("", e);
        }
    }

    /** Starts the keeper, or closes the store, as without a keeper there is no client that would close it. */
    private static void startKeeper(Engine engine) {
        try {
            engine.timers.start("belay-keeper-" + engine.options.clientName());
        } catch (Throwable e) {
            engine.store().close();
            throw e;
        }
    }

    Engine engine() {
        return gates.engine;
    }

    private String full(String name) {
        return NameRules.check("The lock's name", prefix, name);
    }

    /** Returns the options by which a lock is taken here, and refuses those that the store is known not to have. */
    private LockOptions own(String name, LockOptions options) {
        Lock.checkLease(gates, prefix + name, Objects.requireNonNull(options, "options"));
        return behalf.isEmpty() || !options.behalf().isEmpty() ? options : options.withBehalf(behalf);
    }

    @Override
    public LockOptions lockDefaults() {
        return usual.options;
    }

    @Override
    public Lock lock(String name) {
        return usual.named(full(name));
    }

    @Override
    public Lock lock(String name, LockOptions options) {
        return Lock.exclusive(gates, full(name), own(name, options));
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions options) {
        return new ReentrantLock(lock(name, options), counts.locks);
    }

    @Override
    public ReadWrite readWriteLock(String name, LockOptions options) {
        return new ReadWrite(gates, full(name), own(name, options));
    }

    @Override
    public ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options) {
        return new ReentrantReadWrite(readWriteLock(name, options), counts.readers, counts.writers);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        return new Semaphore(gates, full(name), OptionalInt.of(permits), own(name, options));
    }

    @Override
    public DistributedSemaphore joinSemaphore(String name, LockOptions options) {
        return new Semaphore(gates, full(name), OptionalInt.empty(), own(name, options));
    }

    @Override
    public LeaderElection election(String name, LockOptions options) {
        return new Election(gates, full(name), own(name, options));
    }

    @Override
    public DistributedCountDownLatch countDownLatch(String name) {
        return new Latch(gates, NameRules.check("The latch's name", prefix, name), ownUse());
    }

    @Override
    public OncePerPeriod once(String name, Duration atLeast) {
        Objects.requireNonNull(atLeast, "atLeast");
        Hold.nanos("The period of '" + full(name) + "'", atLeast, Duration.ofMillis(1));
        return new Once(lock(name, ownUse().withAtLeast(atLeast)));
    }

    /** Returns the options of what users give none: of the defaults, which are for locks, it has the lease alone. */
    private LockOptions ownUse() {
        LockOptions all = lockDefaults();
        return LockOptions.defaults().withLease(all.lease()).withBehalf(all.behalf());
    }

    @Override
    public Belay namespace(String inner) {
        Objects.requireNonNull(inner, "prefix");
        String full = NameRules.check("The namespace", prefix, inner) + ":";
        gates.families.addNamespace(full);
        return new Client(gates, counts, true, full, behalf);
    }

    @Override
    public Belay onBehalfOf(String owner) {
        return new Client(gates, counts, true, prefix, Objects.requireNonNull(owner, "owner"));
    }

    @Override
    public BelayAdmin admin() {
        return new Administration(gates, prefix, behalf);
    }

    @Override
    public void pause(Duration drain) {
        long nanos = Lock.nanos("drain", drain);
        if (!isView) {
            engine().life.pause(nanos);
            gates.evictions.close();
        }
    }

    @Override
    public void resume() {
        if (!isView) {
            engine().life.resume();
        }
    }

    @Override
    public void close() {
        if (!isView && closed.compareAndSet(false, true)) {
            engine().life.close();
            gates.evictions.close();
            Log.flush(LAST_LINES);
        }
    }

    @Override
    public void close(Duration drain) {
        long nanos = Lock.nanos("drain", drain);
        if (!isView) {
            engine().life.drain(nanos);
            close();
        }
    }

    @Override
    public String toString() {
        return admin().toString();
    }
}
