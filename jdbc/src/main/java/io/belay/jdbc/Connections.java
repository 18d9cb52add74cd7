package io.belay.jdbc;

import io.belay.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The connections of one client: made by a driver, or borrowed from a source that the user has set up. */
final class Connections implements AutoCloseable {
    /** How long a look may take whether a connection is still of use. */
    private static final int CHECK_SECONDS = 1;

    private static final String INVALID_VALUE = "22023";

    private final Origin origin;
    private final @Nullable JdbcUrl guarded;
    private final Dialect dialect;
    private final Settings settings;
    private final String place;
    private final Failures failures;
    private final Reconnection reconnection = new Reconnection();
    private final PostgresBackends backends;
    private final Map<Connection, Loan> loans = Collections.synchronizedMap(new IdentityHashMap<>());
    private volatile boolean poolerKnown;

    private Connections(Origin origin, Dialect dialect, String place, Settings settings, @Nullable JdbcUrl guarded) {
        this.origin = origin;
        this.guarded = guarded;
        this.dialect = dialect;
        this.settings = settings;
        this.place = place;
        failures = new Failures(place, settings);
        backends = new PostgresBackends(settings);
    }

    static Connections of(JdbcUrl url) {
        return of(url, url.settings());
    }

    static Connections of(JdbcUrl url, Settings settings) {
        return new Connections(new DriverOrigin(url.driver()), url.dialect(), url.place(), settings, url.guarded());
    }

    /** Connects once, to find out which database that is. */
    static Connections of(DataSource source, Settings settings) {
        Origin origin = HikariOrigin.of(source);
        if (origin == null) {
            origin = new SourceOrigin(source, settings.timeout());
        }
        try (Connection connection = origin.connect(new Properties())) {
            String product = connection.getMetaData().getDatabaseProductName();
            Dialect dialect = Dialect.ofProduct(product);
            if (dialect == null) {
                throw StoreException.unusable(Dialect.unknown(product), null);
            }
            return new Connections(origin, dialect, origin.place(dialect), settings, null);
        } catch (SQLException e) {
            throw new Failures("the database of the given source", settings).of(e);
        }
    }

    /** Where the fence is: in one database with what it guards. The locks may be in another. */
    Connections guarded() {
        return guarded == null ? this : of(guarded);
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

    /** Whether connections come from somebody who uses them afterwards. */
    boolean isBorrowed() {
        return origin.isBorrowed();
    }

    /** A connection that commits each statement by itself; to be given to {@link #close(Connection)}. */
    Connection open() throws SQLException {
        return reconnection.connect(this::connect);
    }

    private Connection connect() throws SQLException {
        Connection connection = origin.connect(dialect.timeouts(settings.timeout()));
        try {
            loans.put(connection, Loan.take(connection, dialect, (int)
                    settings.timeout().toMillis()));
            if (dialect == Dialect.POSTGRESQL && !backends.add(connection) && !poolerKnown) {
                checkPooler(connection);
            }
            if (!origin.isBorrowed()) {
                prepare(connection);
            }
            if (dialect == Dialect.SQLITE && !origin.isBorrowed()) {
                SqlitePatience.set(connection, settings.timeout());
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            end(connection, true);
            throw e;
        }
    }

    /** What is set for a session would go to others, and nobody would be heard. */
    private void checkPooler(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return;
        }
        try (Connection other = origin.connect(dialect.timeouts(settings.timeout()))) {
            if (!PostgresPooler.keepsSessions(connection, other, settings.timeout())) {
                throw StoreException.unusable(
                        place + " is behind a pooler that gives each transaction to another connection (PgBouncer's"
                                + " pool_mode=transaction): use its session mode, or give Belay a direct connection",
                        null);
            }
        }
        poolerKnown = true;
    }

    /** Makes settings that JDBC cannot put back; a server that refuses a value does without. */
    private void prepare(Connection connection) throws SQLException {
        for (String sql : dialect.session(settings).split(";")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                if (!INVALID_VALUE.equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
    }

    /**
     * Borrows at once all that a client will need, and gives it back: a pool that has not so many would have it wait again and
     * again, and never say why.
     */
    void reserve() {
        List<Connection> reserved = new ArrayList<>();
        try {
            while (origin.isBorrowed() && reserved.size() < dialect.connections()) {
                reserved.add(origin.connect(new Properties()));
            }
        } catch (SQLException e) {
            if (reserved.isEmpty()) {
                throw failures.of(e);
            }
            throw failures.tooFew(reserved.size(), dialect.connections(), e);
        } finally {
            reserved.forEach(Connections::closeQuietly);
        }
    }

    /** Ends the use of a connection that no statement runs on, and gives it back as it came if it was borrowed. */
    void close(Connection connection) {
        end(connection, true);
    }

    /** Ends a connection at once, whatever runs on it. */
    void abort(Connection connection) {
        end(connection, false);
    }

    private void end(Connection connection, boolean orderly) {
        Loan loan = loans.remove(connection);
        boolean sound = orderly && isSound(connection);
        if (sound && origin.isBorrowed() && loan != null && giveBack(loan)) {
            backends.returned(connection);
            return;
        }
        if (origin.isBorrowed()) {
            breakOff(connection);
        }
        closeQuietly(connection);
        backends.ended(connection);
        if (!sound) {
            reconnection.broken();
        }
    }

    /** One that is borrowed is tried, by which some pools find out that it is of no use. */
    private boolean isSound(Connection connection) {
        try {
            return origin.isBorrowed() ? connection.isValid(CHECK_SECONDS) : !connection.isClosed();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Returns whether it could be put back as it was. */
    private static boolean giveBack(Loan loan) {
        try {
            loan.restore();
            loan.connection().close();
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Others find out at the latest when they put back a broken connection as it was. */
    private static void breakOff(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // It is broken already.
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It is of no use any more, whatever else there was.
        }
    }

    /** Lets nobody wait any more for a connection. */
    @Override
    public void close() {
        reconnection.close();
    }
}
