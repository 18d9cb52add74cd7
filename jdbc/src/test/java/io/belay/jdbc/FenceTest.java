package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.StoreMisconfiguredException;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.FenceDatabases.Database;
import io.belay.jdbc.FenceDatabases.Place;
import io.belay.servers.Pace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.util.PSQLException;

/** Holders of a lock whose leases have ended without their noticing, with real transactions. */
class FenceTest {
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

    static Stream<Database> databases() {
        return Stream.of(Database.values());
    }

    static Stream<Place> places() {
        return FenceDatabases.places();
    }

    @AfterEach
    void closeAll() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aHolderThatComesAfterItsSuccessorIsRefused(Place place) throws Exception {
        Connection successor = transaction(place);
        fence.raise(successor, lock, 20);
        successor.commit();

        Connection stale = transaction(place);

        assertThatThrownBy(() -> fence.raise(stale, lock, 10))
                .isInstanceOfSatisfying(StaleTokenException.class, refused -> {
                    assertThat(refused.token()).isEqualTo(10);
                    assertThat(refused.raisedTo()).isEqualTo(20);
                })
                .hasMessageContainingAll(lock, "10", "20", "roll back");
        stale.rollback();
        fence.raise(successor, lock, 20); // its next transaction
        successor.commit();
    }

    @ParameterizedTest
    @MethodSource("places")
    void aHolderThatComesWhileItsSuccessorWorksWaitsAndIsRefused(Place place) throws Exception {
        begin(place);
        Connection successor = transaction(place);
        fence.raise(successor, lock, 20);
        Connection stale = transaction(place);
        Future<?> late = waiting(threads, () -> {
            fence.raise(stale, lock, 10);
            return null;
        });

        successor.commit();

        assertThatThrownBy(() -> late.get(Pace.seconds(), TimeUnit.SECONDS))
                .satisfies(e -> assertThat(e.getCause() instanceof StaleTokenException || isToBeRetried(e.getCause()))
                        .as("refused, or to be tried again: %s", e)
                        .isTrue());
        stale.rollback();
        assertThatThrownBy(() -> fence.raise(stale, lock, 10)).isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @MethodSource("places")
    void aSuccessorWaitsForWhatItsPredecessorBeganAndSeesIt(Place place) throws Exception {
        begin(place);
        Connection stale = transaction(place);
        fence.raise(stale, lock, 10);
        int units = read(stale);
        Connection successor = transaction(place);
        Future<Integer> next = waiting(
                threads,
                () -> retried(successor, () -> {
                    fence.raise(successor, lock, 20);
                    return read(successor);
                }));

        write(stale, units - 1);
        stale.commit();

        assertThat(next.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(units - 1);
    }

    /** Nobody holds any lock here, so that all that keeps them apart is the fence. */
    @ParameterizedTest
    @MethodSource("places")
    void noUnitIsLostAmongMany(Place place) throws Exception {
        create(place);
        AtomicLong tokens = new AtomicLong();
        List<Future<?>> sellers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Connection connection = transaction(place);
            sellers.add(threads.submit(() -> {
                for (int sold = 0; sold < 20; sold++) {
                    retried(connection, () -> sell(connection, tokens));
                }
                return null;
            }));
        }
        for (Future<?> seller : sellers) {
            seller.get(Pace.seconds(), TimeUnit.SECONDS);
        }
        assertThat(read(transaction(place))).isEqualTo(1000 - 4 * 20);
    }

    private Void sell(Connection connection, AtomicLong tokens) throws SQLException {
        while (true) {
            try {
                fence.raise(connection, lock, tokens.incrementAndGet());
                write(connection, read(connection) - 1);
                connection.commit();
                return null;
            } catch (StaleTokenException e) {
                connection.rollback();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void workWithoutATransactionIsRefusedAtItsLastStep(Database database) throws Exception {
        Connection stale = connect(database);
        Connection successor = connect(database);
        TestLease first = new TestLease(lock, 10);
        fence.announce(stale, first);
        assertThat(fence.isCurrent(stale, first)).isTrue();

        fence.announce(successor, lock, 20);

        assertThat(fence.isCurrent(stale, first)).isFalse();
        stale.setAutoCommit(false);
        assertThatThrownBy(() -> fence.raise(stale, first)).isInstanceOf(StaleTokenException.class);
        stale.rollback();
        assertThatThrownBy(() -> fence.announce(stale, first)).isInstanceOf(StaleTokenException.class);
        stale.rollback();
        successor.setAutoCommit(false);
        fence.raise(successor, lock, 20);
        successor.commit();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whereEachStatementIsCommittedByItselfItSaysThatItWouldGuardNothing(Database database) throws Exception {
        Connection connection = connect(database);
        TestLease lease = new TestLease(lock, 10);
        List<ThrowingCallable> ways = List.of(
                () -> fence.raise(connection, lock, 10),
                () -> fence.raise(connection, lease),
                () -> fence.raise(connection, List.of(lease)),
                () -> fence.raise(connection, List.of(lease), Duration.ofSeconds(1)));
        for (ThrowingCallable way : ways) {
            assertThatThrownBy(way)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aResetLetsLowerTokensInAndOnlyOfThatLock(Database database) throws Exception {
        Connection connection = connect(database);
        fence.announce(connection, lock, 20);
        fence.announce(connection, lock + "'s other", 20);

        fence.reset(connection, lock);

        fence.announce(connection, lock, 10);
        assertThatThrownBy(() -> fence.announce(connection, lock + "'s other", 10))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.announce(connection, lock, 9)).isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void namesThatOnlyLookAlikeHaveRowsOfTheirOwn(Database database) throws Exception {
        Connection connection = connect(database);
        List<String> names = List.of("a", "A", "a ", "\u00e4", "a\u0308", "\u00c4");
        long token = 100;
        for (String name : names) {
            fence.announce(connection, lock + name, token--);
        }
        assertThatThrownBy(() -> fence.announce(connection, lock + "a", 99)).hasMessageContaining("100");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aNameIsNotCutOff(Database database) throws Exception {
        Connection connection = connect(database);
        String longest = lock + "x".repeat(512 - lock.length());
        fence.announce(connection, longest, 20);
        assertThatThrownBy(() -> fence.announce(connection, longest, 10)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.announce(connection, longest + "y", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("512");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aMissingTableIsNamedWithTheCure(Database database) throws Exception {
        Connection connection = connect(database);
        assertThatThrownBy(() -> SqlFence.inTable("no_such").announce(connection, lock, 10))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContainingAll("no_such", "belay schema", "belay-fence=", "SqlFence.inTable");
    }

    /** After a failure PostgreSQL does nothing more in that transaction, and the user is to see the first one. */
    @Test
    void whatTheDatabaseSaysComesThrough() throws Exception {
        Connection reader = transaction(new Place(Database.POSTGRESQL, Connection.TRANSACTION_REPEATABLE_READ));
        try (Statement statement = reader.createStatement()) {
            statement.execute("SELECT 1 FROM stock"); // too early: this is what it sees from now on
        }
        fence.announce(connect(Database.POSTGRESQL), lock, 10);
        assertThatThrownBy(() -> fence.raise(reader, lock, 20))
                .hasMessageContainingAll("the fence of '" + lock + "'", "could not serialize access")
                .hasCauseInstanceOf(PSQLException.class)
                .isInstanceOfSatisfying(
                        SQLTransactionRollbackException.class,
                        e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    /** As users have to, wherever several transactions meet. */
    private static <T> T retried(Connection connection, Work<T> work) throws SQLException {
        while (true) {
            try {
                T result = work.run();
                connection.commit();
                return result;
            } catch (SQLException e) {
                connection.rollback();
                if (!isToBeRetried(e)) {
                    throw e;
                }
            }
        }
    }

    static boolean isToBeRetried(Throwable e) {
        return e instanceof SQLException failed
                && ("40001".equals(failed.getSQLState())
                        || "40P01".equals(failed.getSQLState())
                        || failed.getMessage().contains("SQLITE_BUSY"));
    }

    /** Begins what has to wait for a transaction that has not ended. */
    static <T> Future<T> waiting(ExecutorService threads, Callable<T> task) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<T> future = threads.submit(() -> {
            begun.countDown();
            return task.call();
        });
        begun.await();
        assertThatThrownBy(() -> future.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        return future;
    }

    /** Makes the stock, and the row of the fence. */
    private void begin(Place place) throws SQLException {
        create(place);
        fence.announce(connect(place.database()), lock, 1);
    }

    private void create(Place place) throws SQLException {
        try (PreparedStatement statement =
                connect(place.database()).prepareStatement("INSERT INTO stock (name, units) VALUES (?, 1000)")) {
            statement.setString(1, lock);
            statement.executeUpdate();
        }
    }

    private int read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT units FROM stock WHERE name = ?")) {
            statement.setString(1, lock);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private void write(Connection connection, int units) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE stock SET units = ? WHERE name = ?")) {
            statement.setInt(1, units);
            statement.setString(2, lock);
            statement.executeUpdate();
        }
    }

    private Connection transaction(Place place) throws SQLException {
        Connection connection = databases.transaction(place);
        connections.add(connection);
        return connection;
    }

    private Connection connect(Database database) throws SQLException {
        Connection connection = databases.connect(database);
        connections.add(connection);
        return connection;
    }
}
