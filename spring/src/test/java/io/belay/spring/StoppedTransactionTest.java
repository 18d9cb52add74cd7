package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.ChildJvm;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.RedisServer;
import io.belay.spring.ShopApplication.Kind;
import io.belay.spring.Stock.Point;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Processes that are stopped inside of the transaction that a facade's lock lies around, for longer than their lease, while
 * another sells the last piece. {@code -Dbelay.stopped.rounds=5} has each point tried that often.
 */
@Tag("processes")
@Tag("long")
class StoppedTransactionTest {
    private static final int ROUNDS = Integer.getInteger("belay.stopped.rounds", 1);

    /** How often the last piece was sold, of so many rounds. */
    private record Sales(Map<Point, Integer> twice, int rounds) {
        int soldTwice() {
            return twice.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** What sells a piece of a stock that two processes have, one of which is stopped. */
    private static final class Rounds implements AutoCloseable {
        private final boolean fenced;
        private final RedisServer redis;
        private final AnnotationConfigApplicationContext other;
        private final ChildJvm stopped;
        private final AtomicBoolean close = new AtomicBoolean();

        Rounds(String database, Kind kind, boolean fenced) throws Exception {
            this.fenced = fenced;
            redis = RedisServer.start(RedisServer.Version.V7_0);
            // What it reads then is of before the other's commit, or its fence is to be raised.
            Point closest = fenced ? Point.BEFORE_FENCE : Point.AFTER_READ;
            other = StockApplication.start(redis.url(), database, kind, fenced, point -> {
                if (point == closest) {
                    close.set(true);
                }
            });
            stopped = ChildJvm.start(StockProcess.class, redis.url(), database, kind.name(), Boolean.toString(fenced));
        }

        Sales all() throws Exception {
            Map<Point, Integer> twice = new EnumMap<>(Point.class);
            int rounds = 0;
            for (Point point : Point.values()) {
                for (int round = 0; round < ROUNDS && (fenced || point != Point.BEFORE_FENCE); round++) {
                    twice.merge(point, sales(point) - 1, Integer::sum);
                    rounds++;
                }
            }
            return new Sales(twice, rounds);
        }

        /** Stops the process at a point until the other has its lock, and returns how often the last piece was sold. */
        private int sales(Point point) throws Exception {
            JdbcTemplate jdbc = new JdbcTemplate(other.getBean(DataSource.class));
            jdbc.update("DELETE FROM sale");
            jdbc.update("UPDATE stock SET pieces = 1");
            assertThat(stopped.ask(point.name())).isEqualTo("here");
            stopped.signal("STOP");
            close.set(false);
            Stock.Facade facade = other.getBean(Stock.Facade.class);
            CompletableFuture<Boolean> next = CompletableFuture.supplyAsync(facade::sell);
            await().until(() -> next.isDone() || close.get());
            stopped.process.outputWriter().write("go\n");
            stopped.process.outputWriter().flush();
            stopped.signal("CONT");
            String outcome = stopped.line();
            boolean sold = next.get();
            int sales = jdbc.queryForObject("SELECT count(*) FROM sale", Integer.class);
            assertThat(sales)
                    .as("the one that was stopped %s: %s, and the other: %s", point, outcome, sold)
                    .isPositive();
            return sales;
        }

        @Override
        public void close() {
            stopped.close();
            other.close();
            redis.close();
        }
    }

    private static Sales run(String database, Kind kind, boolean fenced) throws Exception {
        try (Rounds rounds = new Rounds(database, kind, fenced)) {
            return rounds.all();
        }
    }

    /** A database for both runs: first without the fence, in which the danger is shown, and then with it. */
    private static void theFenceHasNothingSoldTwice(String database, Kind kind) throws Exception {
        Stock.makeTables(database);
        Sales without = run(database, kind, false);
        Sales with = run(database, kind, true);
        System.out.printf(
                "%s by %s, sold twice: without a fence %d of %d %s, with it %d of %d%n",
                database.split(":")[1],
                kind,
                without.soldTwice(),
                without.rounds(),
                without.twice(),
                with.soldTwice(),
                with.rounds());
        assertThat(with.soldTwice()).isZero();
        assertThat(without.twice()).containsEntry(Point.BEFORE_READ, 0).containsEntry(Point.AFTER_READ, 0);
        assertThat(without.soldTwice()).as("the danger").isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void onPostgresql(Kind kind) throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            theFenceHasNothingSoldTwice(server.url(), kind);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onMariaDb(Kind kind) throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            theFenceHasNothingSoldTwice(server.url(), kind);
        }
    }
}
