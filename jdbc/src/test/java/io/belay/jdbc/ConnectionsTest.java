package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.server.ClientVersion;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many connections a client takes, and from where. */
@Tag("drivers")
@Tag("long")
class ConnectionsTest {
    private static final int LOCKS = 10_000;
    private static final int WAITERS = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static final String TRANSACTIONS =
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";

    private static PostgresServer postgres;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        postgres = PostgresServer.start();
        Schema.create(Connections.of(JdbcUrl.parse(postgres.url())));
    }

    @AfterAll
    static void end() {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    void tenThousandLocksAndAThousandWaitersTakeTwoConnectionsAndOneThatListens() throws Exception {
        Premise.withLease(LEASE, ConnectionsTest::holdAndWait);
    }

    private static void holdAndWait(Duration lease) throws Exception {
        BelayOptions options = BelayOptions.defaults();
        LockOptions brief = LockOptions.defaults().withLease(lease);
        try (Belay belay = Belay.connect(postgres.url(), options);
                Belay other = Belay.connect(postgres.url(), options)) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                asked.add(belay.lock("many" + i, brief).acquireAsync());
            }
            List<Lease> held = asked.stream().map(CompletableFuture::join).toList();
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                waiting.add(other.lock("many" + i, brief).acquireAsync());
            }
            // Two rounds and a bit; without them all would have ended by then.
            long before = number(TRANSACTIONS);
            await().pollDelay(lease.multipliedBy(2))
                    .atMost(lease.multipliedBy(3))
                    .until(() -> true);
            long transactions = number(TRANSACTIONS) - before;
            Premise.check(held.stream().allMatch(Lease::isHeld), "ten thousand leases are renewed in time");
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            // Six renewals of each, one by one, would be a reading and a writing each.
            assertThat(transactions).isLessThan(LOCKS);
            assertThat(number("SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + ClientVersion.label()
                            + "'"))
                    .isEqualTo(2 * 3);
            held.forEach(Lease::releaseAsync);
            waiting.forEach(CompletableFuture::join);
        }
    }

    private static long number(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_stat_clear_snapshot()");
            try (ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Test
    void manyClientsMakeTheTableAtOnce() throws Exception {
        makeAtOnce(postgres.url() + "&belay-create=true&belay-table=fresh&belay-fence=fresh_fence");
        if (MariaDbServer.isAmongDatabases()) {
            try (MariaDbServer server = MariaDbServer.start()) {
                makeAtOnce(server.url() + "&belay-create=true");
            }
        }
    }

    /** In one of some hundred times a client finds a table there that another's statement then takes back. */
    @Test
    void manyClientsMakeTheTableOfH2AtOnce() throws Exception {
        for (int i = 0; i < 200; i++) {
            makeAtOnce("jdbc:h2:mem:fresh" + i + ";DB_CLOSE_DELAY=-1;belay-create=true");
        }
    }

    private static void makeAtOnce(String url) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(10);
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(threads.submit(() -> {
                    try (Belay belay = Belay.connect(url)) {
                        return belay.lock("first").acquire().release();
                    }
                }));
            }
            for (Future<?> client : clients) {
                client.get(Pace.seconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
