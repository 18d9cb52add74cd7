package io.belay.trials.library;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A row with a unique key, inserted to lock and deleted to unlock: whose holder has died leaves it for ever. */
final class UniqueKeyLock extends PolledLock {
    private static final String DUPLICATE = "23505";

    private final String url;

    UniqueKeyLock(String url) {
        this.url = url;
        run("CREATE TABLE IF NOT EXISTS textbook_lock (name varchar(255) PRIMARY KEY)", null);
    }

    @Override
    boolean take(String key, String value) {
        return run("INSERT INTO textbook_lock (name) VALUES (?)", key);
    }

    @Override
    void giveBack(String key, String value) {
        run("DELETE FROM textbook_lock WHERE name = ?", key);
    }

    /** Returns whether it was done, and not refused for the sake of the key. */
    private boolean run(String sql, @Nullable String key) {
        try (Connection connection = DriverManager.getConnection(url)) {
            if (key == null) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
                return true;
            }
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, key);
                statement.executeUpdate();
                return true;
            }
        } catch (SQLException e) {
            if (DUPLICATE.equals(e.getSQLState())) {
                return false;
            }
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        // Each statement has a connection of its own.
    }
}
