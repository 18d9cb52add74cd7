package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.ServerProcess;
import io.belay.servers.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many rows that somebody keeps locked: the locks of all others are renewed meanwhile, also by a client that is far away where others
 * are quicker.
 */
@Tag("drivers")
@Tag("long")
class LockedRowsTest {
    private static final int LOCKED = 12;
    private static final int PERMITS = 8;
    private static final Duration LEASE = Duration.ofSeconds(10);

    @Test
    void ofPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            holdUpNoOther(server, server.url());
        }
    }

    @Test
    void ofMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            holdUpNoOther(server, server.url());
            holdUpNoOther(server.mysqlUrl(), server.mysqlUrl());
        }
    }

    @Test
    void ofMySql() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            holdUpNoOther(server, server.url());
        }
    }

    private static void holdUpNoOther(ServerProcess server, String url) throws Exception {
        BelayAdmin.prepare(url);
        holdUpNoOther(url, url);
        try (TcpProxy proxy = TcpProxy.to(server)) {
            proxy.delayReplies(Duration.ofMillis(10));
            holdUpNoOther(url.replace(":" + server.port() + "/", ":" + proxy.port() + "/"), url);
        }
    }

    private static void holdUpNoOther(String url, String direct) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Belay belay = Belay.connect(
                        url + "&belay-timeout=3s",
                        BelayOptions.defaults()
                                .withLockDefaults(LockOptions.defaults().withLease(LEASE)));
                Belay near = Belay.connect(direct);
                Connection other = DriverManager.getConnection(direct);
                Statement statement = other.createStatement()) {
            List<Lease> locked = new ArrayList<>();
            for (int i = 0; i < LOCKED; i++) {
                locked.add(belay.lock("locked" + i).acquire());
            }
            List<Lease> free = List.of(
                    belay.lock("free").acquire(),
                    belay.semaphore("busy", PERMITS).acquire());
            CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    near.semaphore("busy", PERMITS)
                            .permits(1)
                            .acquireAsync()
                            .join()
                            .release();
                }
            });
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement.execute("SELECT version FROM belay_lock WHERE name BETWEEN 'locked' AND 'lockee' FOR UPDATE");
            await().until(() -> locked.stream().noneMatch(Lease::isHeld));
            assertThat(free).as(url).allMatch(Lease::isHeld);
            long later = System.nanoTime() + LEASE.toNanos();
            await().until(() -> System.nanoTime() - later > 0);
            assertThat(free).as("after another lease, %s", url).allMatch(Lease::isHeld);
            assertThat(changes).isNotDone();
            other.rollback();
        } finally {
            over.set(true);
        }
    }
}
