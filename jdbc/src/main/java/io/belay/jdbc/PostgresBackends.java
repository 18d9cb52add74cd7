package io.belay.jdbc;

import io.belay.support.Mutex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The server's processes for one client's connections. A process of PostgreSQL's may go on waiting long after its
 * client has gone, and takes one of {@code max_connections} until then. So Belay does not use a new connection before
 * the processes of those that it has ended are gone, too.
 *
 * <p>The new connection terminates each that is still there, unless it waits for a synchronous standby: PostgreSQL
 * would then show to everybody what no standby has, and a fail-over would take back.
 */
final class PostgresBackends {
    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = 20;
    private static final String STANDBY = "SyncRep";

    /** The time of a process that a role may not see, its own included. */
    private static final long HIDDEN = 0;

    private final Mutex lock = new Mutex();
    private final Map<Connection, Backend> used = new ConcurrentHashMap<>();
    private final List<Backend> ended = new ArrayList<>();
    private final String identify;
    private final String terminate;
    private final String role;

    /**
     * A process of the server's.
     *
     * @param began when it began, in microseconds, so that another one of the same number is not taken for it
     */
    private record Backend(int pid, long began) {}

    PostgresBackends(Settings settings) {
        identify = Dialect.POSTGRESQL.sql("backend", settings.table(), settings.fence());
        terminate = Dialect.POSTGRESQL.sql("terminate", settings.table(), settings.fence());
        role = Dialect.POSTGRESQL.sql("role", settings.table(), settings.fence());
    }

    /**
     * Notes the process of a new connection, after the processes of those that were ended have gone.
     *
     * @return whether the connection leads straight to its process; if not, there is a pooler, whose process may serve
     *     others afterwards, and nothing is noted
     */
    boolean add(Connection connection) throws SQLException {
        Backend backend = identify(connection);
        if (backend == null) {
            return false;
        }
        if (backend.began() == HIDDEN) {
            addInOwnRole(connection);
        } else {
            awaitEnded(connection);
            used.put(connection, backend);
        }
        return true;
    }

    /** Does so as the role of the login, which alone may look at its processes and end them where another was set after it. */
    private void addInOwnRole(Connection connection) throws SQLException {
        String other = setRole(connection, "none");
        try {
            Backend backend = identify(connection);
            if (backend != null && backend.began() != HIDDEN) {
                awaitEnded(connection);
                used.put(connection, backend);
            }
        } finally {
            setRole(connection, other);
        }
    }

    /** Sets the role; returns the one before. */
    private String setRole(Connection connection, String next) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(role)) {
            statement.setString(1, next);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private @Nullable Backend identify(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(identify);
                ResultSet row = statement.executeQuery()) {
            boolean straight = row.next()
                    && PostgresDriver.isSeen(connection)
                    && connection.unwrap(PGConnection.class).getBackendPID() == row.getInt(1);
            return straight ? new Backend(row.getInt(1), row.getLong(2)) : null;
        }
    }

    /** Notes that a connection was ended, though its process perhaps was not. */
    void ended(Connection connection) {
        Backend backend = used.remove(connection);
        if (backend != null) {
            try (var held = lock.hold()) {
                ended.add(backend);
            }
        }
    }

    /** Notes that a connection is somebody else's from now on, and so is its process. */
    void returned(Connection connection) {
        used.remove(connection);
    }

    private void awaitEnded(Connection connection) throws SQLException {
        long until = System.nanoTime() + LONGEST_WAIT;
        List<Backend> left;
        try (var held = lock.hold()) {
            left = List.copyOf(ended);
        }
        for (Backend backend : left) {
            String waits = end(connection, backend);
            while (waits != null && !waits.equals(STANDBY) && until - System.nanoTime() > 0) {
                pause();
                waits = end(connection, backend);
            }
            if (waits != null) {
                throw new SQLTransientConnectionException(
                        "no further connection is made while an earlier one is busy there"
                                + (waits.equals(STANDBY)
                                        ? ", waiting for a synchronous standby: bring one of synchronous_standby_names"
                                                + " back to pg_stat_replication, or reset that setting"
                                        : ""),
                        "53300");
            }
            try (var held = lock.hold()) {
                ended.remove(backend);
            }
        }
    }

    /** Ends a process, unless it waits for a standby; returns what the process waits for, or null if it has gone. */
    private @Nullable String end(Connection connection, Backend backend) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(terminate)) {
            statement.setInt(1, backend.pid());
            statement.setLong(2, backend.began());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? String.valueOf(row.getString(1)) : null;
            }
        }
    }

    /** Waits a moment for what may end at a server. */
    static void pause() throws SQLException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted before it could connect", e);
        }
    }
}
