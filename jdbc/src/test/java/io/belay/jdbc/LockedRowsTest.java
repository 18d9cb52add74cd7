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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many rows that somebody keeps locked: the locks of all others are renewed meanwhile. */
@Tag("drivers")
@Tag("long")
class LockedRowsTest {
    private static final int LOCKED = 12;
    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void ofPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            holdUpNoOther(server.url());
        }
    }

    @Test
    void ofMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            holdUpNoOther(server.url());
            holdUpNoOther(server.mysqlUrl());
        }
    }

    @Test
    void ofMySql() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            holdUpNoOther(server.url());
        }
    }

    private static void holdUpNoOther(String url) throws Exception {
        BelayAdmin.prepare(url);
        try (Belay belay = Belay.connect(
                        url + "&belay-timeout=3s",
                        BelayOptions.defaults()
                                .withLockDefaults(LockOptions.defaults().withLease(LEASE)));
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            List<Lease> locked = new ArrayList<>();
            for (int i = 0; i < LOCKED; i++) {
                locked.add(belay.lock("locked" + i).acquire());
            }
            Lease free = belay.lock("free").acquire();
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement.execute("SELECT version FROM belay_lock WHERE name BETWEEN 'locked' AND 'lockee' FOR UPDATE");
            await().until(() -> locked.stream().noneMatch(Lease::isHeld));
            assertThat(free.isHeld()).as(url).isTrue();
            long later = System.nanoTime() + LEASE.toNanos();
            await().until(() -> System.nanoTime() - later > 0);
            assertThat(free.isHeld()).as("after another lease, %s", url).isTrue();
            other.rollback();
        }
    }
}
