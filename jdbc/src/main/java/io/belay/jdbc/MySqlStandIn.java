package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

/**
 * A stand-in for MySQL's driver: MariaDB's, which takes a URL of MySQL's with a parameter that permits it. It passes over
 * parameters that only MySQL's driver knows, and refuses values of common ones that only MySQL's driver knows.
 */
final class MySqlStandIn {
    private static final String SCHEME = "jdbc:mysql:";

    /** The parameter that permits it: the driver looks for that in the URL, and not among the properties. */
    private static final String PERMISSION = "permitMysqlScheme=true";

    /** The SQL state of an attribute of a URL that is not valid. */
    private static final String INVALID_ATTRIBUTE = "01S00";

    private MySqlStandIn() {}

    /** Returns the URL by which the stand-in is to be asked; empty where a driver takes the given one, or none does. */
    static Optional<String> url(String url) {
        if (!url.startsWith(SCHEME) || Drivers.isTaken(url)) {
            return Optional.empty();
        }
        return Optional.of(url + (url.contains("?") ? "&" : "?") + PERMISSION).filter(Drivers::isTaken);
    }

    /** Connects by a URL of {@link #url}. Where the URL is not understood, says which driver was asked, and why. */
    static Connection connect(String url, Properties properties) throws SQLException {
        try {
            return Drivers.connect(url, properties);
        } catch (SQLException | IndexOutOfBoundsException e) {
            // The driver tells a state with all that a server or the network does to it, and none while it reads a URL.
            if (e instanceof SQLException failure && failure.getSQLState() != null) {
                throw failure;
            }
            throw new SQLException(
                    "MariaDB's driver stands in for MySQL's, which is not on the class path, and does not understand the"
                            + " URL: add MySQL's, or write what MariaDB's understands: " + e.getMessage(),
                    INVALID_ATTRIBUTE,
                    e);
        }
    }
}
