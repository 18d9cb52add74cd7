package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A PostgreSQL whose statements hang: clients do not fill it with connections, and go on when it does. */
@Tag("drivers")
@Tag("long")
class HangingDatabaseTest {
    private static final int CLIENTS = 10;

    /** Two that work, and one that listens. */
    private static final int PROMISED = 3;

    private static final Duration HANGING = Duration.ofSeconds(10);

    private static PostgresServer server;
    private final List<Belay> clients = new ArrayList<>();
    private final List<CompletableFuture<Lease>> waiting = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        server = PostgresServer.start();
        BelayAdmin.prepare(server.url());
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect() throws InterruptedException {
        connect(server.url());
    }

    private void connect(String url) throws InterruptedException {
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Belay.connect(url + "&belay-timeout=1s&ApplicationName=client" + i));
        }
        clients.get(0).lock("stuck").acquire().release(); // it has a row
    }

    @AfterEach
    void close() {
        clients.forEach(Belay::close);
    }

    @Test
    void aRowThatSomebodyKeepsLocked() throws Exception {
        try (Connection other = DriverManager.getConnection(server.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT version FROM belay_lock FOR UPDATE");
            assertThat(mostConnections()).isLessThanOrEqualTo(PROMISED + 1);
            other.rollback();
        }
        allGetIt();
    }

    @Test
    void aSynchronousStandbyThatIsAway() throws Exception {
        run("ALTER SYSTEM SET synchronous_standby_names = 'away'", "SELECT pg_reload_conf()");
        try {
            assertThat(mostConnections()).isLessThanOrEqualTo(PROMISED + 1);
        } finally {
            run("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
        }
        allGetIt();
    }

    /** The first commit of a client is that of the turn to sweep, which waits. */
    @Test
    void whoConnectsIsToldOfTheStandbyThatIsAway() throws Exception {
        String url = server.url() + "&belay-table=unswept";
        BelayAdmin.prepare(url);
        run("ALTER SYSTEM SET synchronous_standby_names = 'away'", "SELECT pg_reload_conf()");
        try {
            assertThat(Told.byConnecting(StoreUnavailableException.class, url))
                    .contains("waiting for a synchronous standby", "synchronous_standby_names", "pg_stat_replication");
        } finally {
            run("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
        }
    }

    /** As with logins that are made for a while: the role whose tables it uses may not see the processes of the login. */
    @Test
    void aSynchronousStandbyThatIsAwayAfterSetRole() throws Exception {
        run("CREATE ROLE keeper", "CREATE USER briefly IN ROLE keeper", "ALTER USER briefly SET role = 'keeper'");
        run("GRANT ALL ON belay_lock, belay_fence TO keeper");
        close();
        clients.clear();
        connect(server.url().replaceAll("(?<=[?&]user=)[^&]*", "briefly"));
        aSynchronousStandbyThatIsAway();
    }

    /** The most that one client has at any time, while all of them ask for locks. */
    private int mostConnections() throws Exception {
        clients.forEach(client -> {
            waiting.add(client.lock("stuck").acquireAsync());
            waiting.add(client.lock("another").acquireAsync());
        });
        int most = 0;
        try (Connection admin = DriverManager.getConnection(server.url());
                Statement statement = admin.createStatement()) {
            for (long until = System.nanoTime() + HANGING.toNanos(); System.nanoTime() < until; ) {
                most = Math.max(most, mostConnections(statement));
                TimeUnit.MILLISECONDS.sleep(20); // how often it is looked at
            }
        }
        return most;
    }

    private static int mostConnections(Statement statement) throws SQLException {
        Map<String, Integer> connections = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'client%'")) {
            while (rows.next()) {
                connections.merge(rows.getString(1), 1, Integer::sum);
            }
        }
        return connections.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private static void run(String... statements) throws SQLException {
        try (Connection admin = DriverManager.getConnection(server.url());
                Statement statement = admin.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private void allGetIt() {
        waiting.forEach(lease -> lease.thenAccept(Lease::releaseAsync));
        await().until(() -> waiting.stream().allMatch(CompletableFuture::isDone));
        assertThat(waiting).noneMatch(CompletableFuture::isCompletedExceptionally);
    }
}
