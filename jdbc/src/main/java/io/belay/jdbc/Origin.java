package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** Makes connections, or gets them from somebody who does. */
interface Origin {
    /**
     * Connects.
     *
     * @param defaults properties for the driver, unless the user has set them; of no use to a pool
     */
    Connection connect(Properties defaults) throws SQLException;

    /** Whether somebody else uses its connections afterwards, so that they go back as they came. */
    boolean isBorrowed();

    /** Where that is, in words that hold no secret. */
    default String place(Dialect dialect) {
        return dialect.title();
    }
}
