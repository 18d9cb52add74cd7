package io.belay.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A test whether a pooler between client and server, such as PgBouncer, keeps a server connection for its client. */
final class PostgresPooler {
    /** The states of a statement that a server does not know, or does not support. */
    private static final Set<String> UNKNOWN = Set.of("42601", "0A000");

    private PostgresPooler() {}

    /**
     * Sends a notification from one connection to the other, and returns whether it came. In transaction mode it does
     * not, as the pooler has done the listener's LISTEN on some connection that serves others now. What is only late is to be
     * waited for, as a pooler that mixes sessions is refused for good.
     *
     * <p>What has no LISTEN, as CockroachDB, cannot be tested so: a client that does not listen either takes it as it is.
     */
    static boolean keepsSessions(Connection listener, Connection sender, boolean bell, Duration patience)
            throws SQLException {
        String channel = "belay_" + UUID.randomUUID().toString().replace("-", "");
        try {
            execute(listener, "LISTEN " + channel);
        } catch (SQLException e) {
            if (bell || !UNKNOWN.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            return true;
        }
        try (PreparedStatement statement = sender.prepareStatement("SELECT pg_notify(?, '')")) {
            statement.setString(1, channel);
            statement.execute();
        }
        PGNotification[] heard = listener.unwrap(PGConnection.class).getNotifications((int) patience.toMillis());
        execute(listener, "UNLISTEN " + channel);
        return heard != null && heard.length > 0;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
