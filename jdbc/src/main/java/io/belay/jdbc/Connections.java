package io.belay.jdbc;

import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connections of one client: made by a driver, or borrowed from a source that the user has set up. */
final class Connections implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The longest that a test of a connection may take, in seconds. */
    private static final int CHECK_SECONDS = 1;

    /** The least time limit until the first check has passed: a process that has just been started has all to load. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    private static final String INVALID_VALUE = "22023";

    /** The SQL state of who cannot connect. */
    static final String UNCONNECTED = "08001";

    private final ConnectionOrigin origin;
    private final @Nullable JdbcUrl guarded;
    private final Dialect dialect;
    private final Settings settings;
    private final String place;
    private final Failures failures;
    private final Reconnection reconnection = new Reconnection();
    private final PostgresBackends backends;
    private final MySqlSessions sessions;
    private final Map<Connection, PreparedConnection> loans = Collections.synchronizedMap(new IdentityHashMap<>());
    /** One that was opened to look whether all is well, and which the next takes who opens one. */
    private final AtomicReference<@Nullable Connection> spare = new AtomicReference<>();

    private boolean prepares = true;
    private volatile boolean poolerKnown;
    private volatile boolean checked;

    private Connections(
            ConnectionOrigin origin, Dialect dialect, String place, Settings settings, @Nullable JdbcUrl guarded) {
        this.origin = origin;
        this.guarded = guarded;
        this.dialect = dialect;
        this.settings = settings;
        this.place = place;
        failures = new Failures(place, settings);
        backends = new PostgresBackends(settings);
        sessions = new MySqlSessions(settings);
    }

    static Connections of(JdbcUrl url) {
        return of(url, url.settings(), new Properties());
    }

    /** Returns those that a driver makes, with a login that the URL does not hold; it may be empty. */
    static Connections of(JdbcUrl url, Settings settings, Properties login) {
        return new Connections(
                new DriverOrigin(url.driver(), login), url.dialect(), url.place(), settings, url.guarded());
    }

    /** Connects once, to find out to which database the source leads. */
    static Connections of(DataSource source, Settings settings) {
        ConnectionOrigin origin = HikariOrigin.of(source);
        if (origin == null) {
            origin = new PoolOrigin(source::getConnection, settings.timeout());
        }
        try (Connection connection = origin.connectFirst(first(settings))) {
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

    /** Returns the connections to the database of the fence and of what it guards. The locks may be in another. */
    Connections guarded() {
        if (guarded == null) {
            return this;
        }
        Connections users = of(guarded);
        users.prepares = false; // what SQLite is told of its journal stays in the file
        return users;
    }

    Dialect dialect() {
        return dialect;
    }

    Settings settings() {
        return settings;
    }

    /** Returns where the database is, in words that hold no secret. */
    String place() {
        return place;
    }

    Failures failures() {
        return failures;
    }

    /** Returns whether the connections come from a source that uses them afterwards. */
    boolean isBorrowed() {
        return origin.isBorrowed();
    }

    /** Notes that the database was found to do what is needed: from now on it is to answer in time. */
    void checked() {
        checked = true;
    }

    /** Opens a connection that commits each statement by itself; the caller gives it to {@link #close(Connection)}. */
    Connection open() throws SQLException {
        Connection kept = spare.getAndSet(null);
        if (kept != null) {
            try {
                PreparedConnection.limit(kept, timeoutMillis());
                return kept;
            } catch (SQLException e) { // it has gone meanwhile
                end(kept, false);
            }
        }
        return reconnection.connect(this::connect);
    }

    /**
     * Ends a look by a connection that is sound. To connect is dear to a server, so the next to open one takes it; not of H2, whose
     * driver would go on to wait for as long as the first look may.
     */
    void keep(Connection connection) {
        boolean worth = dialect == Dialect.POSTGRESQL || dialect == Dialect.MYSQL;
        if (!worth || origin.isBorrowed() || !spare.compareAndSet(null, connection)) {
            close(connection);
        }
    }

    private int timeoutMillis() {
        return (int) (checked ? settings.timeout() : first(settings)).toMillis();
    }

    private static Duration first(Settings settings) {
        return settings.timeout().compareTo(FIRST) > 0 ? settings.timeout() : FIRST;
    }

    private Connection connect() throws SQLException {
        int timeout = timeoutMillis();
        Connection connection = origin.connect(dialect.timeouts(Duration.ofMillis(timeout)));
        try {
            PreparedConnection loan = PreparedConnection.take(connection, dialect, timeout);
            if (loan.readOnly() && dialect == Dialect.MYSQL) {
                checkWritable(connection);
            }
            loans.put(connection, loan); // from now on one of a pool's is given back, and was broken off before
            if (dialect == Dialect.POSTGRESQL && !backends.add(connection) && !poolerKnown) {
                checkPooler(connection);
            }
            if (dialect == Dialect.MYSQL && !origin.isBorrowed()) {
                sessions.add(connection);
            }
            if (!origin.isBorrowed() && prepares) {
                prepare(connection);
            }
            if (dialect == Dialect.SQLITE && !origin.isBorrowed()) {
                SqliteBackoff.set(connection, settings.timeout());
            }
            failures.connected(origin.mayChangeLogin());
            return connection;
        } catch (SQLException | RuntimeException | Error e) {
            end(connection, true);
            throw e;
        }
    }

    /** Refuses a server for which MySQL's driver leaves the URL's first one, and which it keeps read-only, whatever it is told. */
    private static void checkWritable(Connection connection) throws SQLException {
        if (connection.isReadOnly()) {
            throw new SQLException(
                    "the first of its servers is away, and the driver lets nobody write to another", UNCONNECTED);
        }
    }

    /** Refuses a pooler that mixes sessions: others would get this one's settings, and no notification would arrive. */
    private void checkPooler(Connection connection) throws SQLException {
        if (!PostgresDriver.isSeen(connection)) {
            return;
        }
        int timeout = timeoutMillis();
        try (Connection other = origin.connect(dialect.timeouts(Duration.ofMillis(timeout)))) {
            PreparedConnection sender = PreparedConnection.take(other, dialect, timeout);
            boolean keeps;
            try {
                // Five seconds at least, whatever the timeout: who is late would be refused for good.
                keeps = PostgresPooler.keepsSessions(
                        connection, other, settings.bell(), first(settings).dividedBy(2));
            } finally {
                sender.restore();
            }
            if (!keeps) {
                throw StoreException.unusable(
                        place + " is behind a pooler that gives each transaction to another connection (PgBouncer's"
                                + " pool_mode=transaction or statement): use its session mode, or give Belay a direct connection",
                        null);
            }
        }
        poolerKnown = true;
    }

    /** Makes settings that JDBC cannot put back; a server that refuses a value goes without it. */
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
     * Borrows at once all connections that a client will need, and gives them back: a pool that has not so many would
     * let the client wait again and again, and never say why.
     */
    void reserve() {
        List<Connection> reserved = new ArrayList<>();
        try {
            while (origin.isBorrowed() && reserved.size() < dialect.connections()) {
                Connection next = origin.connect(new Properties());
                if (!reserved.isEmpty() && isSame(reserved.get(0), next)) {
                    throw StoreException.unusable(
                            place + ": the given DataSource hands out one connection again and again, and Belay needs "
                                    + dialect.connections()
                                    + " of its own: give it a pool, or have it connect by the database's URL",
                            null);
                }
                reserved.add(next);
            }
            if (origin.isBorrowed()) {
                LOG.info(
                        "{}: borrows {} connections of the given DataSource for as long as the client is open",
                        place,
                        dialect.connections());
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

    /** Returns whether two are one connection, perhaps in a wrapper each: what is set on one then shows on the other. */
    private static boolean isSame(Connection one, Connection other) {
        if (one == other) {
            return true;
        }
        try {
            if (!one.getAutoCommit() || !other.getAutoCommit()) {
                return false; // perhaps amid a transaction, which the look would end
            }
            one.setAutoCommit(false);
            try {
                return !other.getAutoCommit();
            } finally {
                one.setAutoCommit(true);
            }
        } catch (SQLException e) {
            return false; // what is wrong with it is told when it is used
        }
    }

    /** Ends the use of a connection that no statement runs on, and gives a borrowed one back as it came. */
    void close(Connection connection) {
        end(connection, true);
    }

    /** Ends the use of a connection whose server would not do now what was asked, as it is read-only or full. */
    void leave(Connection connection) {
        if (end(connection, true)) {
            reconnection.refused();
        }
    }

    /** Ends a connection at once, whatever runs on it. */
    void abort(Connection connection) {
        end(connection, false);
    }

    /** Returns whether the connection was sound until then. */
    private boolean end(Connection connection, boolean orderly) {
        PreparedConnection loan = loans.remove(connection);
        boolean sound = orderly && isSound(connection);
        if (sound && origin.isBorrowed() && loan != null && giveBack(loan)) {
            backends.returned(connection);
            return true;
        }
        if (origin.isBorrowed()) {
            breakOff(connection);
        }
        closeQuietly(connection);
        backends.ended(connection);
        sessions.ended(connection, sound);
        if (!sound) {
            reconnection.broken();
        }
        return sound;
    }

    /** Returns whether a connection is of use; tests a borrowed one, by which some pools find out that it is not. */
    private boolean isSound(Connection connection) {
        try {
            return origin.isBorrowed() ? connection.isValid(CHECK_SECONDS) : !connection.isClosed();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Puts a connection back as it was; returns whether that worked. */
    private static boolean giveBack(PreparedConnection loan) {
        try {
            loan.restore();
            loan.connection().close();
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Breaks a borrowed connection: its pool notices at the latest when it puts the connection back as it was. */
    private static void breakOff(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // It is broken already.
        }
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It is of no use any more, whatever else there was.
        }
    }

    /** Fails all who wait for a connection, now and later; what is open stays open, but for one that nobody uses. */
    @Override
    public void close() {
        reconnection.close();
        Connection kept = spare.getAndSet(null);
        if (kept != null) {
            close(kept);
        }
    }
}
