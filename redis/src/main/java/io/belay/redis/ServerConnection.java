package io.belay.redis;

import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a server, made again whenever it ends: one {@link Link} after the other, and none in between. The
 * node asks anew each time where the server is.
 */
final class ServerConnection implements Link.Listener {
    private static final Log LOG = Log.of(LogName.STORE);
    private static final long FIRST_BACK_OFF = 10;
    private static final long LONGEST_BACK_OFF = 500;

    /** For how long a try keeps the other clients of this process from trying, in nanoseconds. */
    private static final long APART = 50_000_000;

    private record Try(ServerConnection by, long nanos) {}

    /**
     * The last try to connect to a server again, by its address. The clients of a process share the threads that read what other
     * servers answer: if all of them tried as often as one, these answers would be late, just when a quorum needs them.
     */
    private static final ConcurrentHashMap<String, Try> TRIES = new ConcurrentHashMap<>();

    /** The owner of a node; called by Lettuce's threads, must not block. */
    interface Owner {
        /** Takes a message that came on the client's channel. */
        void pushed(Link from, byte[] message);

        /** Tells that the connection has ended, or could not be made again. */
        default void failed(ServerConnection node) {}

        /** Tells that the server sends nothing of a channel any more. */
        default void silenced(Link link, byte[] channel) {}

        /** Tells that there is a connection again, to the same server or to another. */
        void connectedAgain(ServerConnection node);
    }

    private final Supplier<CompletableFuture<Connector>> locator;
    private final String channel;
    private final Owner owner;
    private final Connector first;

    /** The present connection; null while there is none. */
    private final AtomicReference<@Nullable Link> link = new AtomicReference<>();

    private volatile StoreException down;
    /** The clock of the last server, as it was when its connection ended; null before the first has ended. */
    private volatile @Nullable StoreClock clock;

    /** The attempts to connect again, one of which is under way or put off. */
    private final Errand attempts;

    /** The looks at the connection; null before the first, and if the client is closed. */
    private volatile @Nullable Future<?> looks;

    private volatile boolean closed;

    /**
     * @param connector lends its threads, and its name of the server to messages
     * @param locator finds out where the server is
     * @param channel where this client's messages come
     */
    ServerConnection(Connector connector, Supplier<CompletableFuture<Connector>> locator, String channel, Owner owner) {
        first = connector;
        this.locator = locator;
        this.channel = channel;
        this.owner = owner;
        down = connector.failures().disconnected();
        attempts = new Errand("An attempt to connect to " + address() + " again");
    }

    /** Returns the connection; null while there is none. */
    @Nullable
    Link link() {
        return link.get();
    }

    /** Returns why there is no connection. */
    StoreException down() {
        return down;
    }

    /** Connects for the first time. */
    CompletableFuture<Void> connect() {
        return open(true).thenAccept(fresh -> {
            use(fresh);
            watch();
        });
    }

    /** Explains to the user why the first connection could not be made. */
    StoreException explain(Throwable error) {
        return first.failures().of(error, first.settings().firstTimeout());
    }

    /** Connects in the background, and tells the owner. */
    void connectLater() {
        watch();
        beginAnew();
    }

    private CompletableFuture<Link> open(boolean firstTime) {
        return locator.get().thenCompose(connector -> {
            Duration longest = firstTime
                    ? connector.settings().firstTimeout()
                    : connector.settings().timeout();
            return connector
                    .connect(channel, this, longest, !firstTime)
                    .exceptionallyCompose(error ->
                            CompletableFuture.failedFuture(connector.failures().of(error, longest)));
        });
    }

    private void use(Link fresh) {
        boolean used = link.compareAndSet(null, fresh);
        attempts.end();
        if (closed || !used) {
            fresh.close();
        } else if (!fresh.isOpen()) {
            broken(fresh);
        }
        beginAnew(); // if it has broken before it was used
    }

    @Override
    public void pushed(Link from, byte[] message) {
        owner.pushed(from, message);
    }

    @Override
    public void broken(Link old) {
        if (link.compareAndSet(old, null)) {
            try {
                LOG.info("The connection to {} has ended", old.failures().address());
                down = old.failures().disconnected();
                clock = old.clock();
                old.close();
                owner.failed(this);
            } finally {
                beginAnew();
            }
        }
    }

    @Override
    public void silenced(Link from, byte[] name) {
        owner.silenced(from, name);
    }

    /** Begins to connect again, where there is no connection and that has not begun yet. */
    private void beginAnew() {
        if (link.get() == null && !closed) {
            attempts.begin(() -> reconnect(0));
        }
    }

    private void reconnect(int attempt) {
        long longest = Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF << Math.min(attempt, 10));
        // Not all clients of a server that went down at once.
        long delay = attempt == 0 ? 0 : ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        first.later(attempts.step(() -> attempt(attempt)), delay);
    }

    private void attempt(int attempt) {
        if (closed) {
            return;
        }
        if (attempt > 0 && hasAnotherTried()) {
            reconnect(attempt + 1);
        } else {
            TRIES.put(address(), new Try(this, System.nanoTime()));
            open(false).whenComplete(attempts.step((fresh, error) -> connected(fresh, error, attempt)));
        }
    }

    /** Returns whether another client has just tried, so far in vain. */
    private boolean hasAnotherTried() {
        Try last = TRIES.get(address());
        return last != null && last.by != this && System.nanoTime() - last.nanos < APART;
    }

    private void connected(@Nullable Link fresh, @Nullable Throwable error, int attempt) {
        if (fresh == null) {
            down = first.failures()
                    .of(
                            error == null ? new TimeoutException() : error,
                            first.settings().timeout());
            LOG.debug("Attempt {} to connect again: {}", attempt + 1, down.getMessage());
            if (!closed) {
                owner.failed(this);
            }
            reconnect(attempt + 1);
            return;
        }
        StoreClock before = clock;
        use(fresh); // first, as nobody else has it
        TRIES.remove(address());
        LOG.info("Connected to {} again", fresh.failures().address());
        String complaint = before == null ? null : fresh.clock().complaint(before);
        if (complaint != null) {
            LOG.warn("{}", complaint);
        }
        owner.connectedAgain(this);
    }

    private String address() {
        return first.failures().address();
    }

    /**
     * Looks now and then whether the server was asked in vain for too long, as a connection may die without a word; and whether
     * the way to another one came to an end, as for want of threads or memory.
     */
    private void watch() {
        looks = first.every(
                () -> {
                    Link watched = link.get();
                    if (watched == null) {
                        beginAnew();
                    } else if (watched.isSilent()) {
                        LOG.warn(
                                "{} is silent; connecting again",
                                watched.failures().address());
                        broken(watched);
                    }
                },
                Math.max(1, first.settings().timeout().toMillis() / AnswerWatch.LOOKS));
        if (closed) {
            endLooks();
        }
    }

    private void endLooks() {
        Future<?> begun = looks;
        if (begun != null) {
            begun.cancel(false);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Makes no more connections. Returns the last one, which ends with those of the connector; null if none. */
    @Nullable
    Link stop() {
        closed = true;
        endLooks();
        TRIES.remove(address()); // which may never be asked again
        return link.getAndSet(null);
    }

    /** Ends the connection for good. */
    void close() {
        Link last = stop();
        if (last != null) {
            last.close();
        }
    }
}
