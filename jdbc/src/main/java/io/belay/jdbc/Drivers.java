package io.belay.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The drivers by which a URL is connected to: those that {@link DriverManager} knows. */
final class Drivers {
    static {
        // It looks for drivers but once, and so misses those that an application brings along where a server has asked
        // it before.
        // Each makes itself known as it is loaded.
        try {
            ServiceLoader.load(Driver.class, Drivers.class.getClassLoader()).forEach(driver -> {});
        } catch (ServiceConfigurationError | LinkageError e) {
            // One that cannot be loaded; it may be that nobody wants it.
        }
    }

    private Drivers() {}

    /** Returns the driver that takes a URL; fails if there is none. */
    static Driver of(String url) throws SQLException {
        return DriverManager.getDriver(url);
    }

    static boolean isTaken(String url) {
        try {
            of(url);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    static Connection connect(String url, Properties properties) throws SQLException {
        return DriverManager.getConnection(url, properties);
    }
}
