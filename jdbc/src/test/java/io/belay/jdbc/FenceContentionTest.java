package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.jdbc.FenceDatabases.Database;
import io.belay.jdbc.FenceDatabases.Place;
import io.belay.servers.Pace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions of many locks at the same time: those of different locks do not get in each other's way. */
@Tag("transactions")
@Tag("long")
class FenceContentionTest {
    private static final int THREADS = 16;
    private static final int EACH = 50;

    @TempDir
    private static Path directory;

    private static FenceDatabases databases;

    private final SqlFence fence = SqlFence.standard();
    private final AtomicInteger failures = new AtomicInteger();
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
    void endThreads() {
        threads.shutdownNow();
    }

    static Stream<Place> places() {
        return FenceDatabases.places();
    }

    /** Elsewhere whoever waited for a row is told to try again: what it has seen is older than the row. */
    static Stream<Place> placesThatWait() {
        return places().filter(place ->
                place.database() == Database.MARIADB || place.isolation() == Connection.TRANSACTION_READ_COMMITTED);
    }

    @ParameterizedTest
    @MethodSource("places")
    void theFirstTransactionsOfNewLocksDoNotMeetInDeadlocks(Place place) throws Exception {
        String prefix = "order:" + UUID.randomUUID() + ":";

        run(place, (connection, thread, round) -> {
            // Names like those of orders: each is greater than all before, so that they all belong into one gap.
            String lock = prefix + (10_000 + round * THREADS + thread);
            fence.raise(connection, lock, 10);
            try (PreparedStatement work =
                    connection.prepareStatement("INSERT INTO stock (name, units) VALUES (?, 1)")) {
                work.setString(1, lock);
                work.executeUpdate();
            }
        });

        assertThat(failures).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("placesThatWait")
    void theFirstTransactionsOfOneLockWaitForEachOther(Place place) throws Exception {
        String prefix = "lock:" + UUID.randomUUID() + ":";

        run(place, (connection, thread, round) -> fence.raise(connection, prefix + round, 10));

        assertThat(failures).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("placesThatWait")
    void whoRaisesSeveralAtOnceMeetsNobodyInADeadlock(Place place) throws Exception {
        List<Lease> leases = Stream.generate(() -> (Lease) new TestLease("lock:" + UUID.randomUUID(), 10))
                .limit(4)
                .toList();

        run(place, (connection, thread, round) -> {
            List<Lease> shuffled = new ArrayList<>(leases);
            Collections.rotate(shuffled, thread);
            fence.raise(connection, shuffled);
        });

        assertThat(failures).hasValue(0);
    }

    private interface Work {
        void run(Connection connection, int thread, int round) throws SQLException;
    }

    /** Does some transactions in many threads; those that fail are counted, and done again as users have to. */
    private void run(Place place, Work work) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            running.add(threads.submit(() -> {
                try (Connection connection = databases.transaction(place)) {
                    all.countDown();
                    all.await();
                    for (int round = 0; round < EACH; round++) {
                        while (!isDone(connection, work, thread, round)) {
                            failures.incrementAndGet();
                        }
                    }
                }
                return null;
            }));
        }
        for (Future<?> thread : running) {
            thread.get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    private static boolean isDone(Connection connection, Work work, int thread, int round) throws SQLException {
        try {
            work.run(connection, thread, round);
            connection.commit();
            return true;
        } catch (SQLException e) {
            connection.rollback();
            if (!FenceTest.isToBeRetried(e)) {
                throw e;
            }
            return false;
        }
    }
}
