package io.belay;

import io.belay.internal.Client;
import io.belay.internal.Examinations;
import io.belay.spi.Capabilities;
import io.belay.spi.Finding;
import io.belay.spi.StoreOpener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A client of one store of locks: the entry to everything else.
 *
 * <pre>{@code
 * try (Belay belay = Belay.connect("file:/var/lib/shop/locks")) {
 *     DistributedLock lock = belay.lock("stock:iphone");
 *     try (Lease lease = lock.acquire()) {
 *         stock.sell(lease.token());
 *     }
 * }
 * }</pre>
 *
 * <p>A process needs one client for each store. Its threads hand a lock on among themselves without asking the store,
 * so two clients of one process are slower than one.
 *
 * <p>Thread-safe. All threads that a client starts are daemons.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface Belay extends AutoCloseable {
    /**
     * Connects with default options. Blocks until the store answered.
     *
     * @param url {@code memory:NAME}, {@code file:DIRECTORY}, or another scheme whose module is on the module or class
     *     path; {@code ${NAME}} in it stands for an environment variable, whose value is put in as it is
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong or the store cannot be used as it is
     */
    static Belay connect(String url) {
        return connect(url, BelayOptions.defaults());
    }

    /**
     * Connects. Blocks until the store answered, unless the options have another {@link ConnectMode}.
     *
     * @param url as for {@link #connect(String)}
     * @param options the client's options
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong or the store cannot be used as it is
     */
    static Belay connect(String url, BelayOptions options) {
        return Client.connect(url, options);
    }

    /**
     * Connects a client to a store that was set up by its module's own options. Blocks as
     * {@link #connect(String, BelayOptions)} does.
     *
     * @param store where the locks are
     * @param options the client's options
     * @throws StoreMisconfiguredException if the store cannot be used as it is
     * @throws StoreUnavailableException if it cannot be reached
     */
    static Belay connect(StoreOpener store, BelayOptions options) {
        return Client.connect(store, options);
    }

    /**
     * Returns what has to be made in a store before its use, such as the tables of a database. Asks the store
     * nothing.
     *
     * @param url as for {@link #connect(String)}
     * @return the statements, for those who run them by hand; empty where nothing has to be made
     * @throws StoreMisconfiguredException if the URL is wrong
     */
    static Optional<String> schema(String url) {
        return Examinations.schema(url);
    }

    /**
     * Makes in a store what {@link #schema(String)} says, as far as it is not there. Blocks until the store answered.
     *
     * @param url as for {@link #connect(String)}, with a user who may make tables
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong, or the store refuses
     */
    static void prepare(String url) {
        Examinations.prepare(url);
    }

    /**
     * Looks at the store behind a URL, and tells in plain words what endangers locks there. Changes nothing in the
     * store. Blocks until the store answered, and a second longer where it watches the server's clock.
     *
     * @param url as for {@link #connect(String)}
     * @return what was found, the worst first; empty if all is well
     * @throws StoreUnavailableException if the store cannot be reached
     * @throws StoreMisconfiguredException if the URL is wrong or the store cannot be looked at as it is
     */
    static List<Finding> examine(String url) {
        return Examinations.of(url);
    }

    /** Returns the options of locks and elections that are asked for without: those of {@link BelayOptions#withLockDefaults}. */
    LockOptions lockDefaults();

    /**
     * Returns a lock with the client's default options, which costs nothing until acquired, and leaves nothing
     * behind.
     *
     * @param name 1 to 512 bytes of UTF-8, the namespace included, without control characters
     * @throws IllegalArgumentException if the name is not of that form
     */
    default DistributedLock lock(String name) {
        return lock(name, lockDefaults());
    }

    /**
     * Returns a lock with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * Returns a {@link java.util.concurrent.locks.Lock} owned by threads, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form
     */
    default ReentrantDistributedLock reentrantLock(String name) {
        return reentrantLock(name, lockDefaults());
    }

    /**
     * Returns a {@link java.util.concurrent.locks.Lock} owned by threads, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form
     */
    ReentrantDistributedLock reentrantLock(String name, LockOptions options);

    /**
     * Returns a lock for readers and writers, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form
     */
    default DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, lockDefaults());
    }

    /**
     * Returns a lock for readers and writers, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form
     */
    DistributedReadWriteLock readWriteLock(String name, LockOptions options);

    /**
     * Returns a {@link java.util.concurrent.locks.ReadWriteLock} owned by threads, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form
     */
    default ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name) {
        return reentrantReadWriteLock(name, lockDefaults());
    }

    /**
     * Returns a {@link java.util.concurrent.locks.ReadWriteLock} owned by threads, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form
     */
    ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options);

    /**
     * Returns a number of permits, with the client's default options.
     *
     * @param name as for {@link #lock(String)}; a name serves a lock or a semaphore, not both at a time
     * @param permits how many there are, at least 1; all who use the name must say the same
     * @throws IllegalArgumentException if the name is not of that form, or the number is not positive
     */
    default DistributedSemaphore semaphore(String name, int permits) {
        return semaphore(name, permits, lockDefaults());
    }

    /**
     * Returns a number of permits, with options of its own.
     *
     * @param name as for {@link #lock(String)}; a name serves a lock or a semaphore, not both at a time
     * @param permits how many there are, at least 1; all who use the name must say the same
     * @param options how permits are acquired and held; the slice, barging and stickiness have no meaning here
     * @throws IllegalArgumentException if the name is not of that form, or the number is not positive
     */
    DistributedSemaphore semaphore(String name, int permits, LockOptions options);

    /**
     * Joins a semaphore that others have made, whose number of permits the store says, with the client's default options. It is
     * read when it is first needed, and again where a call is refused as the number has changed.
     *
     * @param name as for {@link #lock(String)}; the semaphore must have been resized, or be in use at its first use here: else
     *     its methods throw {@link LockRefusedException}, as nobody says how many permits there are
     * @throws IllegalArgumentException if the name is not of that form
     */
    default DistributedSemaphore joinSemaphore(String name) {
        return joinSemaphore(name, lockDefaults());
    }

    /**
     * Joins a semaphore that others have made, with options of its own.
     *
     * @param name as for {@link #joinSemaphore(String)}
     * @param options how permits are acquired and held; the slice, barging and stickiness have no meaning here
     * @throws IllegalArgumentException if the name is not of that form
     */
    DistributedSemaphore joinSemaphore(String name, LockOptions options);

    /**
     * Returns an election of one leader at a time, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form
     */
    default LeaderElection election(String name) {
        return election(name, lockDefaults());
    }

    /**
     * Returns an election of one leader at a time, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how long a leader leads without renewing; the slice, barging, stickiness and order have no meaning
     *     here
     * @throws IllegalArgumentException if the name is not of that form
     */
    LeaderElection election(String name, LockOptions options);

    /**
     * Returns a latch that opens when it was counted down to zero.
     *
     * @param name as for {@link #lock(String)}; a name serves a latch or something else, not both at a time
     * @throws IllegalArgumentException if the name is not of that form
     */
    DistributedCountDownLatch countDownLatch(String name);

    /**
     * Returns an action that one process runs in each period, whoever comes first, with the client's default options.
     *
     * @param name as for {@link #lock(String)}; nothing else may use it
     * @param every the period, counted from the beginning of a run; from 1 millisecond to 365 days
     * @throws IllegalArgumentException if the name is not of that form, the period is not, or the store cannot keep a lock
     *     taken: see {@link Capabilities#leasePerClaim()}
     */
    OncePerPeriod once(String name, Duration every);

    /**
     * Returns what the store can do, and cannot, without asking it.
     *
     * @throws StoreUnavailableException if the client connects {@linkplain ConnectMode later} and has not yet
     */
    Capabilities capabilities();

    /**
     * Returns a view of this client in which every name is preceded by {@code prefix + ":"}: the names of one
     * application or module. Closing a view does nothing; its client is closed once, where it was connected.
     *
     * @param prefix a name in its own right
     * @throws IllegalArgumentException if the prefix is empty or has control characters
     */
    Belay namespace(String prefix);

    /**
     * Returns a view of this client whose locks are taken on somebody's behalf: an order, a job, a user. Whoever looks at a
     * lock sees it; it plays no part in decisions. Closing a view does nothing.
     *
     * @param owner the name, of which at most 64 characters are kept; empty for none
     */
    Belay onBehalfOf(String owner);

    /** Returns what this client holds at this moment, in no order, without asking the store. */
    List<OwnHold> holds();

    /** Returns who waits for a lock in this client at this moment, in no order, without asking the store. */
    List<OwnWait> waits();

    /** Returns what this client has counted since it was connected, without asking the store. A view counts nothing apart. */
    Statistics statistics();

    /** Returns whether the store answers, as the last requests have shown it, without asking the store. */
    StoreHealth health();

    /**
     * Lists the names that are in use, in no order, while they come and go. A name that is there from the beginning to the
     * end is listed exactly once; one that comes or goes meanwhile may be listed or not. Names that nobody holds and nobody
     * waits for any more are listed for as long as the store keeps them, a minute or two. A view of a namespace lists its
     * own names, as it knows them.
     *
     * <p>The stream reads page by page, as its elements are asked for: to ask blocks for a round trip now and then. It
     * keeps some 16 bytes for each name that it has told. It need not be closed.
     *
     * @param prefix what the names begin with; empty for all
     * @return the names; to read on throws {@link StoreUnavailableException} if the store did not answer in time
     * @throws IllegalArgumentException if the prefix is not of the form that {@link #lock(String)} asks for, nor empty
     */
    Stream<String> names(String prefix);

    /**
     * Tells who holds a lock and who waits for it. Blocks for one round trip.
     *
     * @param name the lock's name
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws IllegalArgumentException if the name is not of the form that {@link #lock(String)} asks for
     */
    Inspection inspect(String name);

    /**
     * Takes a lock away from whoever holds it, and grants it to the next. <b>This breaks exclusion</b>: until the old
     * holder has been told, by a push at once or by its next renewal at the latest, both may work; only a guard that
     * checks the token protects the resource meanwhile. The old holder is told by whom: this client's name, host, process and
     * thread, and on whose {@linkplain #as behalf}. Blocks for two round trips.
     *
     * @param name the lock's name
     * @return whether somebody held it
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws IllegalArgumentException if the name is not of the form that {@link #lock(String)} asks for
     */
    boolean forceRelease(String name);

    /**
     * Disconnects, once all who hold have released or the time is over, so that the client can be {@linkplain #resume resumed}:
     * for a checkpoint of the process, or while nobody needs it. Afterwards it has no connection, no open file and no thread,
     * and nobody holds anything by it. Locks and other objects that were made before stay what they are.
     *
     * <p>From the call on those who wait, and all who come, fail with a {@link StoreUnavailableException} that says that the
     * client is paused; only a thread that holds a reentrant lock may lock it again. What is held when the time is over is
     * <em>lost</em>, as by {@link #close()}. An interrupt ends the wait, and is kept. Blocks for the drain, for the request
     * timeout at most for the store's last answers, and some two seconds more until the connections are closed. A client that
     * is paused already, closed or about to be closed stays so. On a view this does nothing, as {@link #close()} does.
     *
     * @param drain the longest wait for holders, not negative; zero for none
     */
    void pause(Duration drain);

    /**
     * Opens the client again after a pause. Returns at once, and connects in the background, again every second until it
     * succeeds; who acquires meanwhile waits, as with {@link ConnectMode#LATER}. Tokens rise over the pause, elections that are
     * observed go on to be, and what was held before stays lost. If a pause is under way in another thread it is waited for. A
     * client that is not paused stays as it is. On a view this does nothing.
     *
     * @throws ClientClosedException if the client is closed
     */
    void resume();

    /**
     * Closes the client at once: fails those who wait with a {@link ClientClosedException}, takes away what is held, disconnects
     * and ends all threads. What is taken away is <em>lost</em>: {@link Lease#onLost} tells it, a later release answers
     * {@link ReleaseOutcome#ALREADY_LOST}, and others may have the lock as soon as the store has the message. To let holders finish
     * first use {@link #close(Duration)}. Blocks at most for the request timeout, and some two seconds more until the
     * connections are closed. Closing twice does nothing.
     */
    @Override
    void close();

    /**
     * Closes the client once all who hold have released, or the time is over. From the call on those who wait, and all who
     * come, fail with a {@link ClientClosedException}; only a thread that holds a reentrant lock may lock it again. An interrupt
     * ends the wait, and is kept.
     *
     * @param drain the longest wait for holders, not negative
     */
    void close(Duration drain);
}
