package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A table that somebody keeps locked. One of MySQL or MariaDB, as by somebody who copies it or changes its columns, or a commit that
 * waits for a replica: clients do not fill the server with connections, and go on when it is let go. MariaDB ends by itself who waits
 * for a table that nobody waits for any more. One of PostgreSQL, as by an open transaction that has changed a row: who starts does not
 * wait for that, nor has others wait.
 */
@Tag("drivers")
@Tag("long")
class LockedTableTest {
    private static final int CLIENTS = 10;

    /** Two that work, and as many that the server is about to end. MySQL had 9 when it ended none. */
    private static final int MOST = 4;

    private static final Duration LOCKED = Duration.ofSeconds(10);

    /** The number of times that each client asks for another lock meanwhile. */
    private static final int ORDERS = 20;

    private static final String LOCK = "LOCK TABLES belay_lock READ";
    private static final String UNLOCK = "UNLOCK TABLES";

    @Test
    void ofMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            isWaitedForByFewConnections(server.url(), server.url(), LOCK, UNLOCK);
        }
    }

    /** As while that is away. Each new order's lock would cost another connection. */
    @Test
    void aCommitOfMariaDbThatWaitsForAReplica() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.builder()
                .withoutFsync()
                .options("--log-bin", "--rpl-semi-sync-master-timeout=600000")
                .start()) {
            isWaitedForByFewConnections(
                    server.url(),
                    "jdbc:mariadb://127.0.0.1:" + server.port() + "/belay?user=root",
                    "SET GLOBAL rpl_semi_sync_master_enabled = 1",
                    "SET GLOBAL rpl_semi_sync_master_enabled = 0");
        }
    }

    @Test
    void ofMySql() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            isWaitedForByFewConnections(server.url(), server.url(), LOCK, UNLOCK);
        }
    }

    /** By default it would wait for 3.75 s, twice; and whoever writes would wait behind it. */
    @Test
    void whoHasTablesOfPostgresMadeThatAreThereLocksNone() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            String url = server.url() + "&belay-create=true&belay-timeout=10m";
            try (Belay belay = Belay.connect(url);
                    Connection other = DriverManager.getConnection(server.url());
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("UPDATE belay_lock SET version = version WHERE name = 'other'");
                startsBesideOthers(url, belay);
                other.rollback();
                statement.execute("DROP INDEX belay_lock_forget");
                other.commit();
                statement.execute("UPDATE belay_lock SET version = version WHERE name = 'other'");
                startsBesideOthers(url, belay);
                other.commit();
                Belay.connect(url).close();
                statement.execute("DROP INDEX belay_lock_forget"); // as it is there again
            }
        }
    }

    private static void startsBesideOthers(String url, Belay belay) {
        CompletableFuture<Void> start =
                CompletableFuture.runAsync(() -> Belay.connect(url).close(), work -> new Thread(work).start());
        assertThat(start).succeedsWithin(Pace.patience());
        assertThat(belay.lock("third").acquireAsync().thenCompose(Lease::releaseAsync))
                .succeedsWithin(Pace.patience());
    }

    /** @param admin the URL of who begins and ends what is waited for */
    private static void isWaitedForByFewConnections(String url, String admin, String begin, String end)
            throws Exception {
        BelayAdmin.prepare(url);
        List<Belay> clients = new ArrayList<>();
        try (Connection other = DriverManager.getConnection(admin);
                Statement statement = other.createStatement();
                Connection looking = DriverManager.getConnection(url);
                Statement look = looking.createStatement()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Belay.connect(url + "&belay-timeout=2s"));
            }
            statement.execute(begin);
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            int most = 0;
            for (long now = System.nanoTime(), until = now + LOCKED.toNanos(), next = now; now - until < 0; ) {
                if (now - next >= 0) { // those of new orders: to wait for a row is something else
                    clients.forEach(client ->
                            waiting.add(client.lock("order:" + waiting.size()).acquireAsync()));
                    next += LOCKED.toNanos() / ORDERS;
                }
                most = Math.max(most, connections(look));
                TimeUnit.MILLISECONDS.sleep(20); // how often it is looked at
                now = System.nanoTime();
            }
            statement.execute(end); // first, as clients are closed only then
            assertThat(most).isLessThanOrEqualTo(2 + CLIENTS * MOST);
            waiting.forEach(lease -> lease.thenAccept(Lease::releaseAsync));
            await().until(() -> waiting.stream().allMatch(CompletableFuture::isDone));
            assertThat(waiting).noneMatch(CompletableFuture::isCompletedExceptionally);
        } finally {
            clients.forEach(Belay::close);
        }
    }

    /** Those of this user, which all are. */
    private static int connections(Statement statement) throws SQLException {
        int count = 0;
        try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
