package io.belay.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.spi.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where connections come from: a driver, or a source that the user has set up. */
final class Connections {
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private final @Nullable JdbcUrl url;
    private final @Nullable DataSource source;
    private final Dialect dialect;
    private final Settings settings;
    private final String place;
    private final Failures failures;

    private Connections(
            @Nullable JdbcUrl url, @Nullable DataSource source, Dialect dialect, String place, Settings settings) {
        this.url = url;
        this.source = source;
        this.dialect = dialect;
        this.settings = settings;
        this.place = place;
        failures = new Failures(place, settings);
    }

    static Connections of(JdbcUrl url) {
        return new Connections(url, null, url.dialect(), url.place(), url.settings());
    }

    /** Connects once, to find out which database that is. */
    static Connections of(DataSource source, Settings settings) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            Dialect dialect = Dialect.ofProduct(product);
            if (dialect == null) {
                throw StoreException.unusable(Dialect.unknown(product), null);
            }
            return new Connections(null, source, dialect, dialect.title(), settings);
        } catch (SQLException e) {
            throw new Failures("the database of the given source", settings).of(e);
        }
    }

    /** The same, with another value for one of Belay's parameters. */
    Connections with(String parameter, String value) {
        return new Connections(url, source, dialect, place, settings.with(parameter, value));
    }

    /** Where the fence is: in one database with what it guards. The locks may be in another. */
    Connections guarded() {
        return url == null || url.guarded() == null ? this : of(url.guarded());
    }

    Dialect dialect() {
        return dialect;
    }

    Settings settings() {
        return settings;
    }

    Failures failures() {
        return failures;
    }

    /** A connection that commits each statement by itself. */
    Connection open() throws SQLException {
        Connection connection = connect();
        try {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            limit(connection);
            for (String sql :
                    dialect.sql("session", settings.table(), settings.fence()).split(";")) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
            if (dialect == Dialect.SQLITE && source == null) {
                SqlitePatience.set(connection, settings.timeout());
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Connection connect() throws SQLException {
        if (source != null) {
            return source.getConnection();
        }
        JdbcUrl address = Objects.requireNonNull(url);
        Properties properties = new Properties();
        dialect.timeouts(settings.timeout()).forEach((name, value) -> {
            if (!address.driver().contains(name + "=")) {
                properties.put(name, value);
            }
        });
        return DriverManager.getConnection(address.driver(), properties);
    }

    /** Bounds the wait for each answer, where the driver can. */
    private void limit(Connection connection) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, (int) settings.timeout().toMillis());
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            // The drivers of embedded databases have no network.
        }
    }

    /** Ends a connection at once. One of a pool's is changed by now, and is not to be given to others. */
    void close(Connection connection) {
        try {
            if (source == null) {
                connection.close();
            } else {
                if (source.getClass().getName().equals(HIKARI)) {
                    Hikari.evict(source, connection);
                }
                connection.abort(Runnable::run);
                connection.close();
            }
        } catch (SQLException | RuntimeException e) {
            // It is of no use any more, whatever else there was. Hikari stumbles over what it was to reset.
        }
    }

    /** A class of its own, which is not loaded where there is no such pool. */
    private static final class Hikari {
        private Hikari() {}

        /** Without that, it would warn of each connection that was ended in another way than its own. */
        static void evict(DataSource pool, Connection connection) {
            ((HikariDataSource) pool).evictConnection(connection);
        }
    }
}
