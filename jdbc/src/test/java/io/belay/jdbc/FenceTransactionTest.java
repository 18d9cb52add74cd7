package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.Lease;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.FenceDatabases.Database;
import io.belay.jdbc.FenceDatabases.Place;
import io.belay.servers.Pace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the page says of savepoints, of reading too early, of several locks at once, and of rows to be deleted. */
@Tag("transactions")
class FenceTransactionTest {
    private static final Pattern WAITED = Pattern.compile("^the fence of '.*' was not to be had within (.*) s: ");

    private static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;

    @TempDir
    private static Path directory;

    private static FenceDatabases databases;

    private final SqlFence fence = SqlFence.standard();
    private final String lock = "lock:" + UUID.randomUUID();
    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() throws Exception {
        databases = FenceDatabases.start(directory);
    }

    @AfterAll
    static void end() {
        databases.close();
    }

    @AfterEach
    void closeAll() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void whatIsRolledBackToASavepointBeforeTheRaiseIsNotRaised(Database database) throws Exception {
        Connection stale = transaction(database, REPEATABLE_READ);
        Savepoint before = stale.setSavepoint();
        fence.raise(stale, lock, 10);
        stale.rollback(before);

        fence.announce(connect(database), lock, 20); // which does not wait

        assertThatThrownBy(() -> fence.raise(stale, lock, 10))
                .satisfies(e -> assertThat(e instanceof StaleTokenException || FenceTest.isToBeRetried(e))
                        .isTrue());
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aSavepointAfterTheRaiseLeavesItRaised(Database database) throws Exception {
        Connection holder = transaction(database, Connection.TRANSACTION_READ_COMMITTED);
        fence.raise(holder, lock, 10);
        Savepoint after = holder.setSavepoint();
        execute(holder, "INSERT INTO stock (name, units) VALUES ('" + lock + "', 1)");
        holder.rollback(after);

        Connection next = connect(database);
        Future<?> successor = FenceTest.waiting(threads, () -> {
            fence.announce(next, lock, 20);
            return null;
        });

        holder.commit();
        successor.get(Pace.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void whatMariaDbReadBeforeTheRaiseStaysOldInPlainReads() throws Exception {
        Connection early = soldMeanwhile(Database.MARIADB, REPEATABLE_READ);

        fence.raise(early, lock, 20);

        assertThat(units(early, "")).as("not guarded").isEqualTo(5);
        assertThat(units(early, " FOR UPDATE")).isEqualTo(4);
    }

    @Test
    void mariaDbWithSnapshotIsolationRefusesARaiseAfterAnEarlyRead() throws Exception {
        Connection early = connect(Database.MARIADB);
        execute(early, "SET SESSION innodb_snapshot_isolation = ON");
        readAndSellMeanwhile(early, REPEATABLE_READ, Database.MARIADB);

        assertThatThrownBy(() -> fence.raise(early, lock, 20))
                .hasMessageContaining("the fence of '" + lock + "'")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1020));
    }

    @Test
    void postgresRefusesARaiseAfterAnEarlyRead() throws Exception {
        Connection early = soldMeanwhile(Database.POSTGRESQL, REPEATABLE_READ);

        assertThatThrownBy(() -> fence.raise(early, lock, 20))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void atReadCommittedWhatIsReadAgainAfterTheRaiseIsNew(Database database) throws Exception {
        Connection early = soldMeanwhile(database, Connection.TRANSACTION_READ_COMMITTED);

        fence.raise(early, lock, 20);

        assertThat(units(early, "")).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void severalAreRaisedTogetherAndOneThatIsStaleRefusesAll(Database database) throws Exception {
        Connection connection = connect(database);
        fence.announce(connection, lock + "b", 20);
        connection.setAutoCommit(false);
        List<Lease> leases = List.of(new TestLease(lock + "b", 10), new TestLease(lock + "a", 10));

        assertThatThrownBy(() -> fence.raise(connection, leases)).hasMessageContainingAll(lock + "b", "20");
        connection.rollback();

        assertThat(fence.isCurrent(connection, new TestLease(lock + "a", 9))).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void severalAreAnnouncedTogetherAndAreCurrentWhileAllAre(Database database) throws Exception {
        Connection connection = connect(database);
        List<Lease> leases = List.of(new TestLease(lock + "b", 10), new TestLease(lock + "a", 10));

        fence.announce(connection, leases);

        assertThat(fence.isCurrent(connection, leases)).isTrue();
        for (String each : List.of("a", "b")) {
            assertThatThrownBy(() -> fence.announce(connection, lock + each, 9))
                    .isInstanceOf(StaleTokenException.class);
        }
        fence.announce(connection, lock + "b", 20);
        assertThat(fence.isCurrent(connection, leases)).isFalse();
        assertThatThrownBy(() -> fence.announce(connection, leases)).hasMessageContainingAll(lock + "b", "20");
    }

    @ParameterizedTest
    @EnumSource
    void rowsThatNobodyHasRaisedForLongAreDeletedByTheRuleOfThePage(Database database) throws Exception {
        Connection connection = connect(database);
        fence.announce(connection, lock + "old", 20);
        fence.announce(connection, lock + "used", 20);
        execute(connection, "CREATE TABLE belay_fence_before AS SELECT name, token FROM belay_fence");
        fence.announce(connection, lock + "used", 30);

        execute(
                connection,
                "DELETE FROM belay_fence WHERE EXISTS (SELECT 1 FROM belay_fence_before b"
                        + " WHERE b.name = belay_fence.name AND b.token = belay_fence.token)");
        execute(connection, "DROP TABLE belay_fence_before");

        fence.announce(connection, lock + "old", 10);
        assertThatThrownBy(() -> fence.announce(connection, lock + "used", 20)).isInstanceOf(StaleTokenException.class);
    }

    /** H2 waits for no longer than its session says, whatever it is asked for. */
    @ParameterizedTest
    @EnumSource
    void whoWaitsForTooLongIsToldForHowLongItWas(Database database) throws Exception {
        Connection next = connect(database);
        Duration longest = beginBehindAnother(next, database);
        long begun = System.nanoTime();

        Duration odd = longest.minusMillis(300); // rounded up
        assertThatThrownBy(() -> fence.raise(next, List.of(new TestLease(lock, 20)), odd))
                .isInstanceOf(SQLTimeoutException.class)
                .extracting(e -> WAITED.matcher(e.getMessage()))
                .matches(Matcher::find, "tells the time")
                .extracting(found -> Double.parseDouble(found.group(1)))
                .satisfies(told -> assertThat(told).isBetween(0.9, (System.nanoTime() - begun) / 1e9));
    }

    @ParameterizedTest
    @EnumSource
    void aFenceMayBeWaitedForAsLongAsItTakes(Database database) throws Exception {
        Connection next = transaction(database, Connection.TRANSACTION_SERIALIZABLE);
        fence.raise(next, List.of(new TestLease(lock, 20)), ChronoUnit.FOREVER.getDuration());
        next.commit();
        assertThat(fence.isCurrent(next, new TestLease(lock, 19))).isFalse();
    }

    /** H2 has one limit for all statements of a connection, which would keep it in its pool. */
    @ParameterizedTest
    @EnumSource
    void aWaitLeavesTheLimitOfOtherStatementsAsItWas(Database database) throws Exception {
        Connection next = connect(database);
        int before = limit(next);
        next.setAutoCommit(false);
        fence.raise(next, List.of(new TestLease(lock + "free", 1)), Duration.ofSeconds(30));
        next.commit();
        assertThat(limit(next)).isEqualTo(before);
        next.setAutoCommit(true);

        before = limit(next, 7);
        Duration longest = beginBehindAnother(next, database);
        assertThatThrownBy(() -> fence.raise(next, List.of(new TestLease(lock, 20)), longest))
                .isInstanceOf(SQLTimeoutException.class);
        next.rollback();
        assertThat(limit(next)).isEqualTo(before);
    }

    /** Begins a transaction while another one has raised the fence; returns for how long it can be waited for. */
    private Duration beginBehindAnother(Connection next, Database database) throws SQLException {
        fence.announce(connect(database), lock, 1);
        fence.raise(transaction(database, Connection.TRANSACTION_SERIALIZABLE), lock, 10);
        if (database == Database.H2) {
            execute(next, "SET LOCK_TIMEOUT 1000"); // before the transaction, which keeps the one that it begins with
        }
        next.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        next.setAutoCommit(false);
        return Duration.ofSeconds(database == Database.H2 ? 10 : 1);
    }

    /** Sets the limit of a statement, in seconds; returns the one that the next statement of its connection has. */
    private static int limit(Connection connection, int seconds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(seconds);
        }
        return limit(connection);
    }

    private static int limit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.getQueryTimeout();
        }
    }

    /** With this setting the driver goes back to before a statement that fails, so that the transaction goes on. */
    @Test
    void aTransactionThatHasWaitedForTooLongIsOverThoughTheDriverSavesIt() throws Exception {
        fence.announce(connect(Database.POSTGRESQL), lock, 1);
        fence.raise(transaction(Database.POSTGRESQL, Connection.TRANSACTION_READ_COMMITTED), lock, 10);
        Connection next = DriverManager.getConnection(databases.url(Database.POSTGRESQL) + "&autosave=always");
        connections.add(next);
        next.setAutoCommit(false);
        execute(next, "INSERT INTO stock (name, units) VALUES ('" + lock + "', 1)");

        assertThatThrownBy(() -> fence.raise(next, List.of(new TestLease(lock, 20)), Duration.ofSeconds(1)))
                .isInstanceOf(SQLTimeoutException.class)
                .hasMessageContaining(" (the backend ");

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> execute(next, "INSERT INTO stock (name, units) VALUES ('" + lock + "b', 1)"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
        }
        catchThrowable(next::commit); // a rollback, of which the driver need not tell
        next.rollback();
        execute(next, "INSERT INTO stock (name, units) VALUES ('" + lock + "c', 1)");
        next.commit();
        assertThat(stocked(lock)).containsExactly(lock + "c");
    }

    private List<String> stocked(String prefix) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connect(Database.POSTGRESQL).createStatement();
                ResultSet rows = statement.executeQuery("SELECT name FROM stock WHERE name LIKE '" + prefix + "%'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    /** A transaction that has read the stock, which a holder with token 10 has sold from since. */
    private Connection soldMeanwhile(Database database, int isolation) throws SQLException {
        return readAndSellMeanwhile(connect(database), isolation, database);
    }

    private Connection readAndSellMeanwhile(Connection early, int isolation, Database database) throws SQLException {
        Connection other = transaction(database, Connection.TRANSACTION_READ_COMMITTED);
        execute(other, "INSERT INTO stock (name, units) VALUES ('" + lock + "', 5)");
        other.commit();
        fence.raise(other, lock, 1);
        other.commit();
        early.setTransactionIsolation(isolation);
        early.setAutoCommit(false);
        assertThat(units(early, "")).isEqualTo(5);
        fence.raise(other, lock, 10);
        execute(other, "UPDATE stock SET units = 4 WHERE name = '" + lock + "'");
        other.commit();
        return early;
    }

    private int units(Connection connection, String suffix) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT units FROM stock WHERE name = '" + lock + "'" + suffix)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection transaction(Database database, int isolation) throws SQLException {
        Connection connection = databases.transaction(new Place(database, isolation));
        connections.add(connection);
        return connection;
    }

    private Connection connect(Database database) throws SQLException {
        Connection connection = databases.connect(database);
        connections.add(connection);
        return connection;
    }
}
