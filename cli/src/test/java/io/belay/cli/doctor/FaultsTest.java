package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.BelayAdmin;
import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.EtcdServer;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.ZooKeeperEnsemble;
import io.belay.servers.ZooKeeperServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The doctor on real servers that are well, and on the same with a fault: found, named with its cure, and no exit code 0. */
class FaultsTest {
    /** Takes a lock in vain, or finds fault: the output has each of these texts, once its lines are joined. */
    static void unfit(String url, String... texts) throws Exception {
        Premise.withLease(FitTest.ANY, anyLease -> isUnfit(url, texts));
    }

    private static void isUnfit(String url, String... texts) {
        CommandRun run = Cli.inside("doctor", "--store", url);
        String words = FitTest.words(run.output());
        // A fault may keep the store from answering, too.
        FitTest.inTime(run.exitCode() == 1 && Stream.of(texts).allMatch(words::contains), run);
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        assertThat(words).contains(texts).contains("Cure: ");
    }

    private static void sql(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    static RedisServer durable(String... more) throws Exception {
        return RedisServer.builder(RedisServer.Version.V7_0)
                .options("--appendonly", "yes", "--appendfsync", "always")
                .password("geheim")
                .options(more)
                .start();
    }

    static String url(RedisServer server) {
        return server.url().replace("//", "//:geheim@");
    }

    @Test
    void redis() throws Exception {
        try (RedisServer server = durable()) {
            FitTest.fit(url(server));
            server.command("ACL", "SETUSER", "app", "reset", "on", ">geheim", "~*", "&*", "+@all", "-publish");
            unfit(
                    server.url().replace("//", "//app:geheim@"),
                    "DANGER lock No lock could be taken: ",
                    "denies its user a right that locks need: grant it by ACL SETUSER NAME",
                    "+publish");
        }
    }

    @Test
    @Tag("long")
    void redisThatTakesNoWrites() throws Exception {
        try (RedisServer server = durable()) {
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            server.command("CONFIG", "SET", "maxmemory", "1mb");
            unfit(url(server), "DANGER lock No lock could be taken: ", "has no memory left: raise its maxmemory");
            server.command("CONFIG", "SET", "maxmemory", "0");

            server.command("CONFIG", "SET", "min-replicas-to-write", "1");
            unfit(url(server), "DANGER lock No lock could be taken: ", "fewer replicas than its min-replicas-to-write");
        }
    }

    @Test
    @Tag("long")
    void postgresql() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.builder().start()) {
            String url = server.url();
            BelayAdmin.prepare(url);
            FitTest.fit(url);
            sql(url, "ALTER TABLE belay_lock SET UNLOGGED");
            unfit(url, "DANGER durability The table belay_lock is unlogged", "SET LOGGED");
            sql(url, "ALTER TABLE belay_lock SET LOGGED", "ALTER TABLE belay_lock DROP CONSTRAINT belay_lock_pkey");
            unfit(url, "DANGER table The table belay_lock has no primary key", "ADD PRIMARY KEY (name)");
            sql(url, "ALTER TABLE belay_lock ADD PRIMARY KEY (name)");
            sql(url, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
            unfit(url, "DANGER lock No lock could be taken: ", "read-only");
            sql(url, "ALTER SYSTEM RESET default_transaction_read_only");
            server.restartAsStandby();
            unfit(url, "DANGER lock No lock could be taken: ", "WARNING read-only The server is read-only", "primary");
        }
    }

    @Test
    @Tag("long")
    void postgresqlWithoutItsReplica() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            sql(server.url(), "ALTER SYSTEM SET synchronous_standby_names = 'away'", "SELECT pg_reload_conf()");
            unfit(server.url(), "DANGER replicas Commits wait for the replicas", "ALTER SYSTEM RESET");
        }
    }

    @Test
    @Tag("long")
    void mariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no MariaDB");
        try (MariaDbServer server = MariaDbServer.builder().start()) {
            BelayAdmin.prepare(server.url());
            FitTest.fit(server.url());
            sql(server.url(), "ALTER TABLE belay_lock ENGINE = MyISAM");
            unfit(server.url(), "DANGER table The table belay_lock is kept by MyISAM", "ENGINE = InnoDB");
            sql(server.url(), "ALTER TABLE belay_lock ENGINE = InnoDB", "ALTER TABLE belay_lock DROP PRIMARY KEY");
            unfit(server.url(), "DANGER table The table belay_lock has no primary key");
            sql(
                    server.url(),
                    "ALTER TABLE belay_lock ADD PRIMARY KEY (name)",
                    "ALTER TABLE belay_lock DROP COLUMN forget");
            unfit(server.url(), "DANGER lock No lock could be taken: ", "forget");
        }
    }

    @Test
    @Tag("long")
    void mariaDbThatLogsStatements() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no MariaDB");
        try (MariaDbServer server = MariaDbServer.builder()
                .options("--log-bin", "--binlog-format=STATEMENT")
                .start()) {
            BelayAdmin.prepare(server.url());
            unfit(server.url(), "DANGER lock No lock could be taken: ", "binlog_format = ROW or MIXED");
        }
    }

    @Test
    @Tag("long")
    void etcd() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        try (EtcdServer server = EtcdServer.start()) {
            String url = "etcd://127.0.0.1:" + server.port();
            FitTest.fitBut("version", url);
            server.setFull(true);
            unfit(url, "DANGER space The alarm NOSPACE is on", "etcdctl alarm disarm");
        }
    }

    /** A new database has 20 KiB. */
    @Test
    @Tag("long")
    void etcdNearItsQuota() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        try (EtcdServer server = EtcdServer.start(null, "--quota-backend-bytes=24000")) {
            unfit(
                    "etcd://127.0.0.1:" + server.port(),
                    "WARNING space The database has ",
                    "refuses all that writes",
                    "--quota-backend-bytes");
        }
    }

    @Test
    @Tag("long")
    void zooKeeperWithAMemberDown() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            FitTest.fit(ensemble.url());
            ensemble.members().get(0).kill();
            unfit(ensemble.url(), "WARNING members ", " does not answer", "Bring it back");
        }
    }

    /** Too short for the lease that locks have by default, which is no danger: those with a shorter one are taken. */
    @Test
    @Tag("long")
    void zooKeeperWithShortSessions() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start(List.of("maxSessionTimeout=5000"))) {
            for (String url : List.of(server.url(), server.url() + "?session-timeout=4s")) {
                FitTest.fitForLeases(3, url);
            }
        }
    }
}
