package io.belay.cli.driver;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A driver from a jar, in the shape in which {@link java.sql.DriverManager} gives it out: it does so only to classes whose
 * loader knows the class of the driver, and that of the application knows this one.
 */
record JarDriver(Driver driver) implements Driver {
    /** Connects; what the driver looks up by the thread's class loader it finds in its own jars. */
    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(driver.getClass().getClassLoader());
        try {
            return driver.connect(url, properties);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) throws SQLException {
        return driver.getPropertyInfo(url, properties);
    }

    @Override
    public int getMajorVersion() {
        return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }
}
