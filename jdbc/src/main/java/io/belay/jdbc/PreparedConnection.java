package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/**
 * A connection as Belay uses it, and its settings from before. Belay changes only those that JDBC itself can put back.
 *
 * @param readOnly whether it was, and is not now
 * @param isolation its isolation level, or -1 if that was not changed
 * @param networkTimeout the bound of its waits, in milliseconds, or -1 if its driver knows none
 */
record PreparedConnection(
        Connection connection, boolean readOnly, boolean autoCommit, int isolation, int networkTimeout) {
    private static final int UNCHANGED = -1;

    /** Lets each statement write, commit by itself and see what is committed, and bounds the wait for each answer. */
    static PreparedConnection take(Connection connection, Dialect dialect, int timeoutMillis) throws SQLException {
        int networkTimeout = limit(connection, timeoutMillis);
        boolean readOnly = dialect.isServer() && letWrite(connection);
        boolean autoCommit = connection.getAutoCommit();
        int isolation = UNCHANGED;
        try {
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            if (dialect.isServer() && connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                isolation = connection.getTransactionIsolation();
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            return new PreparedConnection(connection, readOnly, autoCommit, isolation, networkTimeout);
        } catch (SQLException e) {
            try {
                new PreparedConnection(connection, readOnly, autoCommit, isolation, networkTimeout).restore();
            } catch (SQLException | RuntimeException again) {
                e.addSuppressed(again); // what went wrong first is what tells why
            }
            throw e;
        }
    }

    /** Returns whether a connection was read-only, and is so no more. */
    private static boolean letWrite(Connection connection) throws SQLException {
        if (!connection.isReadOnly()) {
            return false;
        }
        try {
            connection.setReadOnly(false);
            return true;
        } catch (SQLException e) {
            return false; // its pool may insist, as Agroal does; what writes will tell
        }
    }

    /** Bounds the wait for each answer; returns the bound that there was, or -1 if the driver knows none. */
    static int limit(Connection connection, int timeoutMillis) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, timeoutMillis);
            return before;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return UNCHANGED; // the drivers of embedded databases have no network
        }
    }

    /** Puts all settings back as they were. */
    void restore() throws SQLException {
        if (isolation != UNCHANGED) {
            connection.setTransactionIsolation(isolation);
        }
        if (readOnly) {
            connection.setReadOnly(true);
        }
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
        if (networkTimeout != UNCHANGED) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }
    }
}
