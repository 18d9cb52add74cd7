package io.belay.shop.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.belay.support.UrlPasswords;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs transactions of one kind, writing or reading, over a pool of connections. */
final class Transactions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);
    private static final int TRIES = 20;
    private static final long BETWEEN_TRIES_MILLIS = 100;

    private final Dialect dialect;
    private final Statements statements;
    private final boolean writing;
    private final HikariDataSource pool;

    private Transactions(Dialect dialect, Statements statements, boolean writing, HikariDataSource pool) {
        this.dialect = dialect;
        this.statements = statements;
        this.writing = writing;
        this.pool = pool;
    }

    static Transactions open(
            Dialect dialect,
            Statements statements,
            String url,
            @Nullable String user,
            @Nullable String password,
            boolean writing,
            int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(writing ? "ledger-writes" : "ledger-reads");
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(15_000);
        dialect.configure(config, writing);
        return new Transactions(dialect, statements, writing, connect(config, url));
    }

    private static HikariDataSource connect(HikariConfig config, String url) {
        for (int i = 1; ; i++) {
            try {
                return new HikariDataSource(config);
            } catch (RuntimeException e) {
                String reason = LedgerException.reason(e);
                // Nodes that start together meet while one of them switches the file to WAL.
                if (!reason.contains("SQLITE_BUSY") || i == TRIES) {
                    throw new LedgerException(
                            "the ledger " + UrlPasswords.maskUrl(url) + " cannot be used: " + withCure(reason), e);
                }
            }
            pause();
        }
    }

    private static String withCure(String reason) {
        if (!reason.startsWith("No native library found")) {
            return reason + "; check its URL, and that it runs";
        }
        String directory = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
        return "SQLite's driver cannot load its library from " + directory
                + ", which may be full or mounted noexec: set TMPDIR, or Java's java.io.tmpdir, to another directory";
    }

    /** Creates the tables. Several nodes may do so at once, which PostgreSQL answers with an error to all but one. */
    void createTables() {
        for (int i = 1; ; i++) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements.schema()) {
                    statement.execute(sql);
                }
                checkFence(statement);
                return;
            } catch (SQLException e) {
                if (i == TRIES) {
                    throw LedgerException.of("the ledger's tables cannot be created", e);
                }
            }
            pause();
        }
    }

    /** Refuses a table of before, whose names are text: Belay's are bytes, which some databases do not take for the same. */
    private static void checkFence(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT name FROM " + Statements.FENCE + " WHERE 1 = 0")) {
            if (rows.getMetaData().getColumnType(1) == Types.VARCHAR) {
                throw new LedgerException(
                        "the ledger's table " + Statements.FENCE
                                + " is one of before, with names as text: drop it while nothing is sold there, and start again",
                        null);
            }
        }
    }

    <T> T run(Ledger.Body<T> body) {
        Connection connection;
        try {
            connection = pool.getConnection();
        } catch (SQLException e) {
            throw LedgerException.of("the ledger cannot be reached", e);
        }
        boolean ended = false;
        try {
            dialect.begin(connection, writing);
            T result = body.run(new LedgerTransaction(connection, statements));
            commit(connection);
            ended = true;
            return result;
        } catch (SQLException e) {
            throw LedgerException.of("the ledger failed", e);
        } finally {
            giveBack(connection, ended);
        }
    }

    private void commit(Connection connection) {
        try {
            dialect.commit(connection);
        } catch (SQLException e) {
            throw new OutcomeUnknownException(e);
        }
    }

    /** Throws nothing: whatever happens here, the outcome is decided. */
    private void giveBack(Connection connection, boolean ended) {
        try {
            if (!ended) {
                dialect.rollback(connection);
            }
        } catch (SQLException e) {
            // Nobody knows what state it is in.
            pool.evictConnection(connection);
        }
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("giving back a connection failed", e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_TRIES_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
