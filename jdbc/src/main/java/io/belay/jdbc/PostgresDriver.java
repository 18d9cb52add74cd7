package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/** The own abilities of PostgreSQL's driver, which may not be seen from here, as one that belongs to an application server. */
final class PostgresDriver {
    private PostgresDriver() {}

    /** Returns whether a connection can be unwrapped to the driver's own. */
    static boolean isSeen(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(PGConnection.class);
        } catch (LinkageError e) {
            return false;
        }
    }

    /** A part of a transaction. */
    interface Part {
        void run() throws SQLException;
    }

    /** Runs a part after whose failures the driver does not go back to before the failed statement, whatever the URL says. */
    static void withoutAutosave(Connection connection, Part body) throws SQLException {
        if (!isSeen(connection)) {
            body.run();
            return;
        }
        PGConnection driver = connection.unwrap(PGConnection.class);
        AutoSave before = driver.getAutosave();
        driver.setAutosave(AutoSave.NEVER);
        try {
            body.run();
        } finally {
            driver.setAutosave(before);
        }
    }
}
