package io.belay.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An origin that connects with the settings of a Hikari pool, beside the pool, which so keeps all of its connections.
 * It looks at the name of a source's class first, as Hikari may not be there.
 */
final class HikariOrigin implements ConnectionOrigin {
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private final HikariDataSource pool;

    private HikariOrigin(HikariDataSource pool) {
        this.pool = pool;
    }

    /** Returns the origin beside a source; null unless that is an unchanged Hikari pool that connects by a URL. */
    static @Nullable ConnectionOrigin of(DataSource source) {
        return isHikari(source) ? beside(source) : null;
    }

    /**
     * Returns whether a source connects as Hikari does: a subclass may well tell another password each time, but one
     * that makes connections in its own way is left alone.
     */
    private static boolean isHikari(DataSource source) {
        try {
            return source.getClass()
                    .getMethod("getConnection")
                    .getDeclaringClass()
                    .getName()
                    .equals(HIKARI);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException("a source without getConnection()", e);
        }
    }

    private static @Nullable ConnectionOrigin beside(DataSource source) {
        HikariDataSource pool = (HikariDataSource) source;
        boolean byUrl = pool.getJdbcUrl() != null && pool.getDataSource() == null && !hasProvider(pool);
        // The pool may see a driver that this class does not.
        return byUrl && Drivers.isTaken(pool.getJdbcUrl()) ? new HikariOrigin(pool) : null;
    }

    /** Returns whether the pool asks an object of the user's for each password. */
    private static boolean hasProvider(HikariDataSource pool) {
        return isSeven(pool)
                && (pool.getCredentialsProvider() != null || pool.getCredentialsProviderClassName() != null);
    }

    /** Returns whether this is Hikari 7 or later, which knows such objects. */
    private static boolean isSeven(HikariDataSource pool) {
        try {
            var unused = pool.getCredentialsProviderClassName();
            return true;
        } catch (NoSuchMethodError e) {
            return false;
        }
    }

    @Override
    public String place(Dialect dialect) {
        return JdbcUrl.place(dialect, pool.getJdbcUrl());
    }

    @Override
    public Connection connect(Properties defaults) throws SQLException {
        Connection connection = DriverOrigin.connect(pool.getJdbcUrl(), properties(defaults, pool, !isSeven(pool)));
        try {
            prepare(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Returns what the pool gives to its driver. Hikari makes texts of numbers and of true and false, which drivers read alone; since
     * 6.3.1 it does not, so that the driver passes over them. Versions before 7 are taken for those that do: with ssl rather than without.
     */
    static Properties properties(Properties defaults, HikariDataSource pool, boolean asTexts) {
        Properties properties = new Properties();
        properties.putAll(defaults);
        pool.getDataSourceProperties().forEach((name, value) -> {
            boolean isPlain = value instanceof Boolean || value instanceof Number;
            properties.put(name, asTexts && isPlain ? value.toString() : value);
        });
        put(properties, "user", pool.getUsername());
        put(properties, "password", pool.getPassword());
        return properties;
    }

    private static void put(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.setProperty(name, value);
        }
    }

    private void prepare(Connection connection) throws SQLException {
        if (pool.getCatalog() != null) {
            connection.setCatalog(pool.getCatalog());
        }
        if (pool.getSchema() != null) {
            connection.setSchema(pool.getSchema());
        }
        if (pool.getConnectionInitSql() != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(pool.getConnectionInitSql());
            }
        }
    }

    /** A driver whose URL is not known, as one that logs for another, has no limit that could be set. */
    @Override
    public Connection connectFirst(Duration timeout) throws SQLException {
        Dialect dialect = JdbcUrl.dialect(pool.getJdbcUrl());
        return dialect == null
                ? new PoolOrigin(() -> connect(new Properties()), timeout).connect(new Properties())
                : connect(dialect.timeouts(timeout));
    }

    @Override
    public boolean isBorrowed() {
        return false;
    }

    @Override
    public boolean mayChangeLogin() {
        return true;
    }
}
