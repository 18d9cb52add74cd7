package io.belay.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A test whether a pooler between client and server, such as PgBouncer, keeps a server connection for its client. */
final class PostgresPooler {
    private PostgresPooler() {}

    /**
     * Sends a notification from one connection to the other, and returns whether it came. In transaction mode it does
     * not, as the pooler has done the listener's LISTEN on some connection that serves others now.
     */
    static boolean keepsSessions(Connection listener, Connection sender, Duration timeout) throws SQLException {
        String channel = "belay_" + UUID.randomUUID().toString().replace("-", "");
        execute(listener, "LISTEN " + channel);
        try (PreparedStatement statement = sender.prepareStatement("SELECT pg_notify(?, '')")) {
            statement.setString(1, channel);
            statement.execute();
        }
        PGNotification[] heard = listener.unwrap(PGConnection.class).getNotifications((int) timeout.toMillis());
        execute(listener, "UNLISTEN " + channel);
        return heard != null && heard.length > 0;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
