package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An origin that borrows connections from a source of the user's, most often a pool. Many pools let their callers wait
 * without an end, so it asks for each connection in a thread of its own, which also keeps Belay out of what the
 * caller's thread is bound to.
 */
final class PoolOrigin implements ConnectionOrigin {
    /** The number of threads that may still ask when nobody waits for them any more: pools that connect in vain hear no interrupt. */
    private static final int MOST_LATE = 4;

    private final Reconnection.Attempt source;
    private final Duration timeout;
    private final Set<Thread> late = ConcurrentHashMap.newKeySet();

    PoolOrigin(Reconnection.Attempt source, Duration timeout) {
        this.source = source;
        this.timeout = timeout;
    }

    @Override
    public Connection connect(Properties defaults) throws SQLException {
        late.removeIf(thread -> !thread.isAlive());
        if (late.size() >= MOST_LATE) {
            throw new SQLTransientConnectionException(
                    "the given source has not answered earlier requests for " + MOST_LATE + " connections");
        }
        CompletableFuture<Connection> asked = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> ask(asked), "belay-jdbc-borrow", 0, false);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.setDaemon(true);
        thread.start();
        @Nullable Connection had = null;
        try {
            had = asked.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return had;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new SQLException("the given source fails: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new SQLTransientConnectionException(
                    "the given source had no connection within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
        } finally {
            if (asked.cancel(false)) {
                late.add(thread);
                thread.interrupt();
            } else if (had == null) { // it came in the very moment when the wait ended
                boolean interrupted = Thread.interrupted(); // as below
                asked.thenAccept(Connections::closeQuietly);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void ask(CompletableFuture<Connection> asked) {
        try {
            Connection connection = source.connect();
            settle(connection);
            if (!asked.complete(connection)) {
                Thread.interrupted(); // it was for the wait, not for what a pool does to take a connection back
                connection.close(); // nobody waits for it any more
            }
        } catch (Throwable e) { // whatever a source throws: somebody waits to hear of it
            asked.completeExceptionally(e);
        }
    }

    /**
     * Commits what a pool has run in a new connection, as a SET of its search_path: a pool that leaves commits to its users undoes that
     * with what they leave uncommitted, be it a look at the database's name.
     */
    private static void settle(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException | RuntimeException e) {
            // What is wrong with it is told when it is used.
        }
    }

    @Override
    public boolean isBorrowed() {
        return true;
    }

    @Override
    public boolean mayChangeLogin() {
        return true;
    }
}
