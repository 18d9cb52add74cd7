package io.belay.zookeeper;

import io.belay.spi.StoreException;
import io.belay.support.DaemonThread;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Moment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Keeps a connection to an ensemble: Curator makes a new session where one has ended. Thread-safe. */
final class Connection implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The time that a close may take, and that a session usually takes at most. */
    private static final int PATIENCE_MILLIS = 2_000;

    private final Settings settings;
    private final Failures failures;
    private final CuratorFramework curator;
    private final Runnable reconnected;
    private final Directories directories;
    private final LayoutNode layout;

    private final CountDownLatch first = new CountDownLatch(1);
    private volatile @Nullable Session session;
    private volatile Consumer<Session> listener = present -> {};
    private volatile boolean closed;
    private volatile Moment connecting = Moment.now();

    private Connection(Settings settings, Runnable reconnected) {
        this.settings = settings;
        this.reconnected = reconnected;
        Logins logins = new Logins(settings, () -> closed);
        failures = new Failures(settings, logins);
        directories = new Directories(settings);
        layout = new LayoutNode(settings, failures, directories);
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.hosts())
                .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
                .connectionTimeoutMs(Math.toIntExact(Math.min(
                        settings.connectTimeout().toMillis(),
                        settings.sessionTimeout().toMillis())))
                // Nothing is asked of Curator that it could ask again.
                .retryPolicy((count, elapsed, sleeper) -> false)
                .ensembleTracker(false)
                .zookeeperFactory(new EagerClient(logins::watching, settings.connectTimeout()))
                .zkClientConfig(settings.config());
        String login = settings.login();
        if (login != null) {
            builder.authorization("digest", login.getBytes(StandardCharsets.UTF_8));
        }
        curator = builder.build();
        curator.getConnectionStateListenable().addListener((client, state) -> changed(state));
    }

    /** Connects for the first time; throws what goes wrong, for the user to know. */
    static Connection open(Settings settings, Runnable reconnected) {
        return open(settings, reconnected, Thread::new);
    }

    /** Does the same, with such threads for those who look why there is no session. */
    static Connection open(Settings settings, Runnable reconnected, ThreadFactory probes) {
        long deadline = System.nanoTime() + settings.connectTimeout().toNanos();
        Probe.of(settings, deadline, probes);
        Connection connection = new Connection(settings, reconnected);
        try {
            connection.curator.start();
            if (!connection.await(Math.min(Probe.millisUntil(deadline) / 2, PATIENCE_MILLIS))) {
                Probe.question(settings, deadline, probes);
                connection.await(Probe.millisUntil(deadline));
            }
            if (connection.session != null) {
                connection.check(Probe.millisUntil(deadline));
                return connection;
            }
        } catch (RuntimeException | Error e) { // for want of threads, too: the client's would go on for nobody
            connection.close();
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            connection.close();
            throw connection.failures.unreachable("gave no session before this thread was interrupted");
        }
        connection.close();
        throw connection.failures.unreachable(
                "accepts connections and gives no session in time: is it a ZooKeeper with a quorum, and does each of"
                        + " its members answer?");
    }

    /**
     * Asks for the layout. A login by SASL follows the session, and what is asked meanwhile is answered behind it;
     * without the login, some servers end the session. This does not look whether the client has the rights that it
     * needs.
     */
    private void check(long millis) {
        Session first = session;
        if (first == null) {
            return;
        }
        try {
            layout.check(first)
                    .toCompletableFuture()
                    .orTimeout(millis, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException
                    || Failures.is(e, Code.AUTHFAILED, Code.SESSIONCLOSEDREQUIRESASLAUTH)) {
                throw failures.explain(e);
            }
            LOG.debug("The first question was not answered", e);
        }
    }

    /** Waits for the first session. Returns whether there is one. */
    private boolean await(long millis) throws InterruptedException {
        return first.await(millis, TimeUnit.MILLISECONDS) && session != null;
    }

    private void changed(ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> connected();
            case SUSPENDED -> {
                connecting = Moment.now();
                layout.forget(); // also for what is asked before the connection is back
            }
            case LOST -> {
                // Or Curator has waited for a server for as long as the session lasts, and nobody knows what became of
                // it.
                LOG.warn(
                        "{}",
                        settings.line(
                                "has ended this client's session, or was not reached for as long as that lasts: what"
                                        + " it held counts as lost"));
                session = null;
                reconnected.run(); // so that everything is checked at once, and found lost
            }
            default -> LOG.warn("{}", settings.line("only allows to read"));
        }
    }

    private void connected() {
        Session before = session;
        try {
            ZooKeeper now = curator.getZookeeperClient().getZooKeeper();
            if (before != null && before.isOf(now)) {
                layout.forget();
                before.watches().again();
                listener.accept(before); // what was asked as the session began may have failed with its connection
            } else {
                Session fresh = new Session(now, connecting);
                session = fresh;
                listener.accept(fresh);
            }
        } catch (Exception e) {
            LOG.warn("{}", settings.line("was connected and is so no more"), e);
            return;
        }
        first.countDown();
        reconnected.run();
    }

    /**
     * Returns the session of now, which may be disconnected for a while.
     *
     * @throws StoreException if there is none
     */
    Session session() {
        Session now = session;
        if (now == null) {
            throw closed
                    ? StoreException.unusable("the client was closed", null)
                    : failures.unreachable("cannot be reached: there is no session now");
        }
        return now;
    }

    Optional<Session> current() {
        return Optional.ofNullable(session);
    }

    /** Sets who is told of each session that follows, and of each later connection of it, by the thread that connects. */
    void onSession(Consumer<Session> told) {
        listener = told;
    }

    Directories directories() {
        return directories;
    }

    LayoutNode layout() {
        return layout;
    }

    Failures failures() {
        return failures;
    }

    /** Ends the session, as far as that is possible soon: a server that does not answer would keep the caller. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = Thread.interrupted();
        try {
            DaemonThread.start("belay-zookeeper-close", curator::close).join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Error e) { // there are no more threads: then the caller waits
            curator.close();
        }
        session = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
