package io.belay.trials.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The connection of one thread to the counters in an SQLite file. */
final class GuardedDatabase {
    private static final List<String> NAMES = List.of("c0", "c1", "c2");
    private static final String BUSY_TIMEOUT_MILLIS = "60000";

    private final Connection connection;

    private GuardedDatabase(Connection connection) {
        this.connection = connection;
    }

    /** Opens the database in this directory, and makes it where it is not there. */
    static GuardedDatabase open(Path directory) throws SQLException, IOException {
        GuardedDatabase database =
                new GuardedDatabase(DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("guarded.db")));
        database.execute("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MILLIS);
        database.execute("PRAGMA journal_mode = WAL");
        // Processes are killed here, not the machine: what was written is there.
        database.execute("PRAGMA synchronous = OFF");
        for (String statement : schema().split(";")) {
            if (!statement.isBlank()) {
                database.execute(statement);
            }
        }
        for (String name : NAMES) {
            database.execute("INSERT OR IGNORE INTO belay_fence VALUES ('" + name + "', 0)");
            database.execute("INSERT OR IGNORE INTO counter VALUES ('" + name + "', 0)");
        }
        return database;
    }

    /** The names of the counters. */
    static List<String> names() {
        return NAMES;
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    long read(String name) throws SQLException {
        try (PreparedStatement read = prepare("SELECT value FROM counter WHERE name = ?")) {
            read.setString(1, name);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    void write(String name, long value) throws SQLException {
        try (PreparedStatement write = prepare("UPDATE counter SET value = ?1 WHERE name = ?2")) {
            write.setLong(1, value);
            write.setString(2, name);
            write.executeUpdate();
        }
    }

    private static String schema() throws IOException {
        try (InputStream in = GuardedDatabase.class.getResourceAsStream("guarded.sql")) {
            if (in == null) {
                throw new IOException("guarded.sql is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
