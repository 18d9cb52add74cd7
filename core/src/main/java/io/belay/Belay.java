package io.belay;

import io.belay.internal.Client;
import io.belay.spi.StoreOpener;
import java.time.Duration;

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

    /** Returns the options of locks and elections that are asked for without: those of {@link BelayOptions#withLockDefaults}. */
    LockOptions lockDefaults();

    /**
     * Returns a lock with the client's default options, which costs nothing until acquired, and leaves nothing
     * behind.
     *
     * @param name 1 to 512 bytes of UTF-8, the namespace included, without control characters
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
     */
    default DistributedLock lock(String name) {
        return lock(name, lockDefaults());
    }

    /**
     * Returns a lock with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * Returns a {@link java.util.concurrent.locks.Lock} owned by threads, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
     */
    default ReentrantDistributedLock reentrantLock(String name) {
        return reentrantLock(name, lockDefaults());
    }

    /**
     * Returns a {@link java.util.concurrent.locks.Lock} owned by threads, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
     */
    ReentrantDistributedLock reentrantLock(String name, LockOptions options);

    /**
     * Returns a lock for readers and writers, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
     */
    default DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, lockDefaults());
    }

    /**
     * Returns a lock for readers and writers, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
     */
    DistributedReadWriteLock readWriteLock(String name, LockOptions options);

    /**
     * Returns a {@link java.util.concurrent.locks.ReadWriteLock} owned by threads, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
     */
    default ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name) {
        return reentrantReadWriteLock(name, lockDefaults());
    }

    /**
     * Returns a {@link java.util.concurrent.locks.ReadWriteLock} owned by threads, with options of its own.
     *
     * @param name as for {@link #lock(String)}
     * @param options how it is acquired and held
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
     */
    ReentrantDistributedReadWriteLock reentrantReadWriteLock(String name, LockOptions options);

    /**
     * Returns a number of permits, with the client's default options.
     *
     * @param name as for {@link #lock(String)}; a name serves a lock or a semaphore, not both at a time
     * @param permits how many there are, at least 1; all who use the name must say the same
     * @throws IllegalArgumentException if the name is not of that form, the number is not positive, or the store has no lease
     *     such as the defaults ask for
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
     * @throws IllegalArgumentException if the name is not of that form, the number is not positive, or the options ask for a
     *     lease of the lock's own, fixed or at least, and the store has none
     */
    DistributedSemaphore semaphore(String name, int permits, LockOptions options);

    /**
     * Joins a semaphore that others have made, whose number of permits the store says, with the client's default options. It is
     * read when it is first needed, and again where a call is refused as the number has changed.
     *
     * @param name as for {@link #lock(String)}; the semaphore must have been resized, or be in use at its first use here: else
     *     its methods throw {@link LockRefusedException}, as nobody says how many permits there are
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
     */
    default DistributedSemaphore joinSemaphore(String name) {
        return joinSemaphore(name, lockDefaults());
    }

    /**
     * Joins a semaphore that others have made, with options of its own.
     *
     * @param name as for {@link #joinSemaphore(String)}
     * @param options how permits are acquired and held; the slice, barging and stickiness have no meaning here
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
     */
    DistributedSemaphore joinSemaphore(String name, LockOptions options);

    /**
     * Returns an election of one leader at a time, with the client's default options.
     *
     * @param name as for {@link #lock(String)}
     * @throws IllegalArgumentException if the name is not of that form, or the store has no lease such as the defaults ask for
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
     * @throws IllegalArgumentException if the name is not of that form, or the options ask for a lease of the lock's own, fixed or
     *     at least, and the store has none
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
     * Returns an action that one process runs in each period, whoever comes first, with the lease of the client's default options.
     *
     * @param name as for {@link #lock(String)}; nothing else may use it
     * @param atLeast the period: for how long a run keeps others out, counted from its beginning; shorter than the time from one
     *     start to the next, as {@link OncePerPeriod} tells; from 1 millisecond to 365 days
     * @throws IllegalArgumentException if the name is not of that form, the period is not, or the store cannot keep a lock
     *     taken: see {@link io.belay.spi.Capabilities#leasePerClaim()}
     */
    OncePerPeriod once(String name, Duration atLeast);

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
     * lock sees it. It plays no part in decisions, but that in the search for deadlocks what is had by futures on the same one's
     * behalf belongs to one owner: so name what does one thing at a time. Closing a view does nothing.
     *
     * @param owner the name, of which at most 64 characters are kept; empty for none. Options that name somebody, given with a
     *     lock, count for more, and the client's defaults for less
     */
    Belay onBehalfOf(String owner);

    /**
     * Returns what operators ask and do here: who holds what, how the store answers, what was counted, breaking a lock. In a view
     * of a namespace it knows names as the view does. Asks the store nothing.
     */
    BelayAdmin admin();

    /**
     * Disconnects, once all who hold have released or the time is over, so that the client can be {@linkplain #resume resumed}:
     * for a checkpoint of the process, or while nobody needs it. Afterwards it has no connection, no open file and no thread,
     * and nobody holds anything by it. Locks and other objects that were made before stay what they are.
     *
     * <p>From the call on those who wait, and all who come, fail with a {@link StoreUnavailableException} that says that the
     * client is paused; only a thread that holds a reentrant lock may lock it again. What is held when the time is over is
     * <em>lost</em>, as by {@link #close()}. An interrupt ends the wait for holders, and is kept. Blocks for the drain, for the
     * request timeout at most for the store's last answers, and some two seconds more until the connections are closed. A client
     * that is paused already, closed or about to be closed stays so. A store in memory forgets everything once its last client is
     * paused. On a view this does nothing, as {@link #close()} does.
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
     * {@link ReleaseOutcome#ALREADY_LOST}, and others may have the lock as soon as the store has the message, and where it was held
     * {@linkplain LockOptions#withAtLeast for a least time}, once that is over. To let holders finish first use {@link #close(Duration)}. Blocks at most for the request timeout, and some two seconds more until the
     * connections are closed and the last lines logged. Closing twice does nothing.
     */
    @Override
    void close();

    /**
     * Closes the client once all who hold have released, or the time is over. From the call on those who wait, and all who
     * come, fail with a {@link ClientClosedException}; only a thread that holds a reentrant lock may lock it again. An interrupt
     * ends the wait for holders, and is kept.
     *
     * @param drain the longest wait for holders, not negative
     */
    void close(Duration drain);
}
