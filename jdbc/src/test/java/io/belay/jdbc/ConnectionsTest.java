package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.RequestKind;
import io.belay.server.ClientVersion;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
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

    private static final String CONNECTIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + ClientVersion.label() + "'";

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
            await().until(() -> answered(other, RequestKind.TAKE) >= WAITERS);
            // A backend says up to a second later what it has done.
            awaitRounds(2, belay, held, lease);
            long before = number(TRANSACTIONS);
            awaitRounds(4, belay, held, lease);
            long transactions = number(TRANSACTIONS) - before;
            boolean excluded = waiting.stream().noneMatch(CompletableFuture::isDone);
            Premise.check(areHeld(held), "ten thousand leases are renewed in time");
            assertThat(excluded).as("nobody has what another holds").isTrue();
            // Four renewals of each, one by one, would be a reading and a writing each.
            assertThat(transactions).isLessThan(LOCKS);
            // A request that is not answered in time has another connection made, and its own ended.
            await().until(() -> number(CONNECTIONS) == 2 * 3);
            held.forEach(Lease::releaseAsync);
            waiting.forEach(CompletableFuture::join);
        }
    }

    /** Waits until each lease was renewed so often once more, or one is lost. */
    private static void awaitRounds(int rounds, Belay belay, List<Lease> held, Duration lease) {
        long renewed = answered(belay, RequestKind.KEEP);
        await().atMost(Pace.patience().plus(lease.multipliedBy(rounds)))
                .until(() -> answered(belay, RequestKind.KEEP) - renewed >= rounds * LOCKS || !areHeld(held));
    }

    private static boolean areHeld(List<Lease> leases) {
        return leases.stream().allMatch(Lease::isHeld);
    }

    private static long answered(Belay belay, RequestKind kind) {
        return belay.admin().statistics().requests().get(kind).answered();
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

    /** One that is used about once a minute would be ended in between, and the next request fail at first. */
    @Test
    void aServersLimitForIdleConnectionsIsNoneOfThese() throws Exception {
        try (PostgresServer server = PostgresServer.builder()
                .withoutFsync()
                .options("-c", "idle_session_timeout=60s")
                .start()) {
            assertLastsWhileIdle(
                    server.url(),
                    "SELECT CAST(setting AS int) / 1000 FROM pg_settings WHERE name = 'idle_session_timeout'");
        }
        assumeTrue(MariaDbServer.isAmongDatabases(), "there is no MariaDB, or the short proof leaves it out");
        try (MariaDbServer server = MariaDbServer.builder()
                .withoutFsync()
                .options("--wait-timeout=60")
                .start()) {
            assertLastsWhileIdle(server.url(), "SELECT @@wait_timeout");
            assertLastsWhileIdle(server.mysqlUrl(), "SELECT @@wait_timeout");
        }
    }

    private static void assertLastsWhileIdle(String url, String limit) throws SQLException {
        try (Connections source = Connections.of(JdbcUrl.parse(url));
                Connection own = source.open();
                Statement statement = own.createStatement();
                ResultSet seconds = statement.executeQuery(limit)) {
            seconds.next();
            assertThat(seconds.getLong(1)).isGreaterThan(75);
        }
    }

    /** It takes each connection for one that commits by itself, and writes nothing that others see. */
    @Test
    void mariaDbsDriverCommitsAtAMySqlThatBeginsWithoutAutocommit() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server =
                MySqlServer.builder().withoutFsync().options("--autocommit=0").start()) {
            String url = server.url().replace("jdbc:mysql:", "jdbc:mariadb:") + "&belay-create=true";
            try (Belay belay = Belay.connect(url);
                    Belay other = Belay.connect(url);
                    Lease lease = belay.lock("a").acquire()) {
                assertThat(Premise.answered(() -> other.lock("a").tryAcquire())).isEmpty();
                assertThat(lease.isHeld()).isTrue();
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
