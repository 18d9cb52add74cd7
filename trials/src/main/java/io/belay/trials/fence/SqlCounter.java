package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.jdbc.SqlFence;
import io.belay.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A counter in a row, with a connection for each addition. The guard keeps the fence's row locked until the commit. */
record SqlCounter(String url, AutoCloseable server) implements Counter {
    static Counter onPostgres(Path directory) throws Exception {
        PostgresServer server = PostgresServer.start();
        return made(new SqlCounter(server.url(), server), "BYTEA");
    }

    static Counter onSqlite(Path directory) throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("counter.db") + "?busy_timeout=60000";
        return made(new SqlCounter(url, () -> {}), "BLOB");
    }

    private static Counter made(SqlCounter counter, String bytes) throws SQLException {
        try (Connection connection = counter.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE belay_fence (name " + bytes + " PRIMARY KEY, token BIGINT NOT NULL)");
            statement.execute("CREATE TABLE counter (value BIGINT NOT NULL)");
            statement.execute("INSERT INTO counter VALUES (0)");
        }
        return counter;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public long value() throws SQLException {
        try (Connection connection = connect()) {
            return read(connection);
        }
    }

    private static long read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT value FROM counter")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void write(Connection connection, long value) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement("UPDATE counter SET value = ?")) {
            write.setLong(1, value);
            write.executeUpdate();
        }
    }

    @Override
    public Addition guarded(FencingToken token) throws SQLException {
        Connection connection = connect();
        try {
            connection.setAutoCommit(false);
            Connection raised = SqlFence.standard().on(connection).raiseTo(List.of(token));
            long read = read(raised);
            return () -> {
                try (connection) {
                    write(raised, read + 1);
                    raised.commit();
                }
            };
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Addition unguarded() throws SQLException {
        long read = value();
        return () -> {
            try (Connection connection = connect()) {
                write(connection, read + 1);
            }
        };
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
