package io.belay.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of MySQL or MariaDB for one client's own connections. Such a server does not look whether its client is there while it
 * commits, which may be for as long as no replica answers or the disk is full; and nothing limits that as it does other waits. So Belay
 * does not use a new connection while the session of one that it has ended is still busy: it would fill the server with them, and leave
 * the replica no connection to come back by.
 *
 * <p>None of them is killed: all would then see what no replica has, and a fail-over would take back.
 */
final class MySqlSessions {
    /** The longest that a server waits for a row where it waits for its least: a second, after which it may look once a second. */
    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(2);

    /** The number of seconds by which the times of a server and of this process may be rounded apart. */
    private static final long ROUNDED = 2;

    private static final String IDLE = "Sleep";

    private final Map<Connection, Session> used = new ConcurrentHashMap<>();
    /** The sessions that were ended here, each with the nanosecond at which that was. */
    private final Map<Session, Long> ended = new ConcurrentHashMap<>();

    private final LongSupplier nanos;
    private final String identify;
    private final String list;

    /**
     * A session as its server lists it.
     *
     * @param server the server, as after a fail-over another one has numbers of its own
     * @param host the client's host and port, by which a session is told from that of the same number before a restart
     */
    private record Session(
            String server,
            long number,
            @Nullable String user,
            @Nullable String host) {}

    MySqlSessions(Settings settings) {
        this(settings, System::nanoTime);
    }

    MySqlSessions(Settings settings, LongSupplier nanos) {
        this.nanos = nanos;
        identify = Dialect.MYSQL.sql("identify", settings.table(), settings.fence());
        list = Dialect.MYSQL.sql("sessions", settings.table(), settings.fence());
    }

    /**
     * Notes the session of a new connection, when none of one that was ended is busy there. What waits for a row or a table is waited
     * for; what is busy for longer is refused at once.
     */
    void add(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            long number;
            String server;
            try (ResultSet row = statement.executeQuery(identify)) {
                row.next();
                number = row.getLong(1);
                server = row.getString(2);
            }
            while (!look(connection, statement, server, number)) {
                PostgresBackends.pause();
            }
        }
    }

    /**
     * Notes that a connection was ended.
     *
     * @param sound whether its session ends with it, as nothing runs there
     */
    void ended(Connection connection, boolean sound) {
        Session session = used.remove(connection);
        if (session != null && !sound) {
            ended.put(session, nanos.getAsLong());
        }
    }

    /** Looks through a server's sessions, and notes the connection's own unless one that was ended is busy; returns whether it did. */
    private boolean look(Connection connection, Statement statement, String server, long number) throws SQLException {
        Map<Session, Long> left = new HashMap<>(ended); // others may end meanwhile, which this look does not show
        Map<Session, Long> busy = new HashMap<>();
        Session own = null;
        try (ResultSet rows = statement.executeQuery(list)) {
            while (rows.next()) {
                Session session =
                        new Session(server, rows.getLong("Id"), rows.getString("User"), rows.getString("Host"));
                Long since = left.get(session);
                if (session.number() == number) {
                    own = session;
                    continue;
                }
                long ago = since == null ? 0 : nanos.getAsLong() - since;
                // What a pooler has lent to others since is busy with something newer.
                boolean still = rows.getLong("Time") >= TimeUnit.NANOSECONDS.toSeconds(ago) - ROUNDED;
                if (since != null && still && !IDLE.equals(rows.getString("Command"))) {
                    busy.put(session, since);
                    if (ago >= LONGEST_WAIT) {
                        throw refusal(session, rows.getString("State"));
                    }
                }
            }
        }
        left.keySet().removeAll(busy.keySet());
        ended.keySet()
                .removeAll(left.keySet()); // also those of another server, where nothing can be seen of them any more
        if (own != null && busy.isEmpty()) {
            used.put(connection, own);
        }
        return busy.isEmpty();
    }

    private static SQLException refusal(Session session, @Nullable String state) {
        return new SQLTransientConnectionException(
                "no further connection is made while session " + session.number() + " of an earlier one is busy there"
                        + (state == null || state.isBlank() ? "" : " (" + state + ")")
                        + ": see what SHOW PROCESSLIST tells of it",
                Connections.UNCONNECTED);
    }
}
