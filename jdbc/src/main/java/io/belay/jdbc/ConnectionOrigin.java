package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** An origin of connections, which makes them, or borrows them from a source that the user has set up. */
interface ConnectionOrigin {
    /**
     * Connects.
     *
     * @param defaults properties for the driver, unless the user has set them; of no use to a pool
     */
    Connection connect(Properties defaults) throws SQLException;

    /** Connects as long as nobody knows the kind of database, and with it the names of its driver's properties. */
    default Connection connectFirst(Duration timeout) throws SQLException {
        return connect(new Properties());
    }

    /** Returns whether somebody else uses the connections afterwards, so that they go back as they came. */
    boolean isBorrowed();

    /** Returns whether the user's source tells the login anew for each connection, so that it may change. */
    boolean mayChangeLogin();

    /** Returns where the database is, in words that hold no secret. */
    default String place(Dialect dialect) {
        return dialect.title();
    }
}
