package io.belay.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The sessions of MySQL or MariaDB for one client's own connections. Such a server does not look whether its client is there while it
 * commits, which may be for as long as no replica answers or the disk is full; and nothing limits that as it does other waits. So Belay
 * does not use a new connection while the session of one that it has ended is still at what it was at then: it would fill the server
 * with them, and leave the replica no connection to come back by.
 *
 * <p>None of them is killed: all would then see what no replica has, and a fail-over would take back.
 */
final class MySqlSessions {
    /** The number of seconds by which the times of a server and of this process may be rounded apart. */
    private static final long ROUNDED = 2;

    private final Map<Connection, Long> used = new ConcurrentHashMap<>();
    /** The sessions that were ended here, each with the nanosecond at which that was. */
    private final Map<Long, Long> ended = new ConcurrentHashMap<>();

    private final String identify;
    private final String list;

    MySqlSessions(Settings settings) {
        identify = Dialect.MYSQL.sql("identify", settings.table(), settings.fence());
        list = Dialect.MYSQL.sql("sessions", settings.table(), settings.fence());
    }

    /** Notes the session of a new connection, unless the session of one that was ended is busy. */
    void add(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            checkEnded(statement);
            try (ResultSet row = statement.executeQuery(identify)) {
                row.next();
                used.put(connection, row.getLong(1));
            }
        }
    }

    /**
     * Notes that a connection was ended.
     *
     * @param sound whether its session ends with it, as nothing runs there
     */
    void ended(Connection connection, boolean sound) {
        Long session = used.remove(connection);
        if (session != null && !sound) {
            ended.put(session, System.nanoTime());
        }
    }

    private void checkEnded(Statement statement) throws SQLException {
        Map<Long, Long> left = Map.copyOf(ended); // others may end meanwhile, which this look does not show
        if (left.isEmpty()) {
            return;
        }
        try (ResultSet rows = statement.executeQuery(list)) {
            while (rows.next()) {
                Long since = left.get(rows.getLong("Id"));
                if (since != null && isBusy(rows, since)) {
                    throw new SQLTransientConnectionException(
                            "no further connection is made while an earlier one is busy there: "
                                    + rows.getString("State"),
                            Connections.UNCONNECTED);
                }
            }
        }
        ended.keySet().removeAll(left.keySet());
    }

    /** Returns whether a session is at what it was at then: after a restart its number is another one's, who has begun later. */
    private static boolean isBusy(ResultSet row, long since) throws SQLException {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
        return !"Sleep".equals(row.getString("Command")) && row.getLong("Time") >= seconds - ROUNDED;
    }
}
