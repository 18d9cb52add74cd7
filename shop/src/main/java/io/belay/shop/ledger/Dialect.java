package io.belay.shop.ledger;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/** The databases that can hold a ledger, and where they differ beyond their SQL. */
enum Dialect {
    /**
     * The driver's own transactions take the write lock with the commit of the one before, if they are to take it when
     * they begin at all. So they are begun and ended by statements here.
     */
    SQLITE("jdbc:sqlite:") {
        @Override
        void configure(HikariConfig pool, boolean writes) {
            // A reader in WAL mode sees one state and waits for nobody.
            pool.addDataSourceProperty("journal_mode", "WAL");
            pool.addDataSourceProperty("synchronous", "NORMAL");
            pool.addDataSourceProperty("busy_timeout", "10000");
            if (writes) {
                // It has one writer at a time; who waits for its turn here, and not there, is woken when it comes.
                pool.setMaximumPoolSize(1);
            }
        }

        @Override
        void begin(Connection connection, boolean writes) throws SQLException {
            // A transaction that begins by reading could not become a writer once another has written.
            execute(connection, writes ? "BEGIN IMMEDIATE" : "BEGIN");
        }

        @Override
        void commit(Connection connection) throws SQLException {
            execute(connection, "COMMIT");
        }

        @Override
        void rollback(Connection connection) throws SQLException {
            execute(connection, "ROLLBACK");
        }
    },
    POSTGRESQL("jdbc:postgresql:") {
        @Override
        void configure(HikariConfig pool, boolean writes) {
            server(pool, writes);
            pool.addDataSourceProperty("ApplicationName", "belay-shop");
            pool.addDataSourceProperty("connectTimeout", "5");
            pool.addDataSourceProperty("tcpKeepAlive", "true");
        }
    },
    MYSQL("jdbc:mysql:", "jdbc:mariadb:") {
        @Override
        void configure(HikariConfig pool, boolean writes) {
            server(pool, writes);
            pool.addDataSourceProperty("connectTimeout", "5000");
            // MariaDB's driver serves both servers, but only under its own name.
            pool.setJdbcUrl(pool.getJdbcUrl().replaceFirst("^jdbc:mysql:", "jdbc:mariadb:"));
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> prefixes;

    Dialect(String... prefixes) {
        this.prefixes = List.of(prefixes);
    }

    abstract void configure(HikariConfig pool, boolean writes);

    void begin(Connection connection, boolean writes) throws SQLException {
        connection.setAutoCommit(false);
    }

    void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    /** The word in the names of resource files. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Dialect of(String url) {
        for (Dialect dialect : values()) {
            for (String prefix : dialect.prefixes) {
                if (url.startsWith(prefix)) {
                    return dialect;
                }
            }
        }
        throw new IllegalArgumentException(
                "the ledger's URL must begin with jdbc:sqlite:, jdbc:postgresql:," + " jdbc:mysql: or jdbc:mariadb:");
    }

    /**
     * A guarded transaction that has waited for the fence row must then see what the one before it wrote, so it takes a
     * fresh view with each statement; a page wants one view for all its figures.
     */
    private static void server(HikariConfig pool, boolean writes) {
        pool.setTransactionIsolation(writes ? "TRANSACTION_READ_COMMITTED" : "TRANSACTION_REPEATABLE_READ");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
