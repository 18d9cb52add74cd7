package io.belay.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the sessions whose transaction kept a fence from being raised, on PostgreSQL. A wait that was given up has ended its
 * transaction, which answers nothing any more; so that is rolled back, a new one is asked, and then made to fail as well: who
 * has called finds the connection in the state in which a failure leaves it, and can only roll back.
 */
final class FenceRaiser {
    /** The time for the question, in seconds: it waits for nobody. */
    private static final int TIMEOUT = 2;

    private FenceRaiser() {}

    /** Returns who has raised it, as the end of a sentence; empty if nobody can tell. */
    static String named(Connection connection, FenceDialect dialect, String table, byte[] lock) {
        if (dialect != FenceDialect.POSTGRESQL) {
            return "";
        }
        List<String> sessions = new ArrayList<>();
        try {
            PostgresDriver.withoutAutosave(connection, () -> {
                try {
                    connection.rollback();
                    ask(connection, dialect, table, lock, sessions);
                } finally {
                    spoil(connection, dialect, table);
                }
            });
        } catch (SQLException e) {
            sessions.clear(); // it is the wait that is told of, and not the question
        }
        return sessions.isEmpty() ? "" : " (" + String.join(", or ", sessions) + ")";
    }

    private static void ask(
            Connection connection, FenceDialect dialect, String table, byte[] lock, List<String> sessions)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql("raiser", table))) {
            statement.setQueryTimeout(TIMEOUT);
            statement.setBytes(1, lock);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    sessions.add(session(row));
                }
            }
        }
    }

    private static String session(ResultSet row) throws SQLException {
        String application = row.getString(2);
        String address = row.getString(3);
        String state = row.getString(4);
        return "the backend " + row.getInt(1)
                + (application == null || application.isEmpty() ? "" : " of " + application)
                + (address == null ? "" : " at " + address)
                + (state == null ? "" : ", " + state + ", its transaction " + row.getLong(5) + " s old");
    }

    private static void spoil(Connection connection, FenceDialect dialect, String table) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.sql("spoil", table));
        } catch (SQLException e) {
            // Which is what it is for.
        }
    }
}
