package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.StoreMisconfiguredException;
import io.belay.server.ClientVersion;
import io.belay.servers.Certificates;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.spi.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** What {@code belay doctor} says of databases. */
@Tag("drivers")
@Tag("long")
class ExaminationTest {
    @Test
    void postgresThatForgetsIsADanger() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            assertThatThrownBy(() -> BelayAdmin.examine(server.url()))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("belay_lock")
                    .hasMessageContaining("have the client make it");
            assertThatThrownBy(() -> BelayAdmin.examine(server.url() + "&belay-create=true"))
                    .hasMessageContaining("belay_lock")
                    .hasMessageNotContaining("have the client make it");
            BelayAdmin.prepare(server.url());
            assertThat(BelayAdmin.examine(server.url()))
                    .extracting(Finding::finding)
                    .singleElement()
                    .asString()
                    .startsWith("fsync is off");
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER USER postgres SET synchronous_commit = off");
            }
            assertThat(BelayAdmin.examine(server.url()))
                    .extracting(Finding::severity)
                    .containsExactly(Finding.Severity.DANGER, Finding.Severity.DANGER);
        }
    }

    @Test
    @Tag("long")
    void mariaDbThatForgetsIsADanger() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.builder().withoutFsync().start()) {
            BelayAdmin.prepare(server.url());
            assertThat(BelayAdmin.examine(server.url()))
                    .extracting(Finding::severity)
                    .containsExactly(Finding.Severity.DANGER, Finding.Severity.NOTE);
            assertThat(BelayAdmin.examine(server.url()))
                    .last()
                    .extracting(Finding::finding)
                    .asString()
                    .startsWith("The server does not tell this user whether the server is itself a replica,");
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE t (name VARBINARY(512), version BIGINT, state MEDIUMBLOB, forget BIGINT)"
                                + " ENGINE = MyISAM");
            }
            for (String table : List.of("t", "belay.t")) {
                assertThat(BelayAdmin.examine(server.url() + "&belay-table=" + table))
                        .extracting(Finding::finding)
                        .anyMatch(finding -> finding.startsWith("The table " + table + " is kept by MyISAM,"))
                        .anyMatch(finding -> finding.startsWith("The table " + table + " has no primary key,"));
            }
            BelayAdmin.prepare(
                    server.url() + "&sessionVariables=default_storage_engine=MyISAM&belay-table=l&belay-fence=f");
            assertThat(enginesOf(server.url(), "'l', 'f'")).containsExactly("InnoDB", "InnoDB");
        }
    }

    private static List<String> enginesOf(String url, String tables) throws SQLException {
        List<String> engines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_NAME IN (" + tables + ")")) {
            while (rows.next()) {
                engines.add(rows.getString(1));
            }
        }
        return engines;
    }

    /** With a binary log commits are brought to the disk there, unless InnoDB is told to do so, too. */
    @Test
    @Tag("long")
    void aMariaDbWhoseBinaryLogForgetsIsADanger() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.builder()
                        .options("--log-bin", "--sync-binlog=0", "--skip-grant-tables")
                        .start();
                Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            BelayAdmin.prepare(server.url());
            assertThat(durability(server))
                    .singleElement()
                    .matches(finding -> finding.severity() == Finding.Severity.DANGER)
                    .extracting(Finding::cure)
                    .isEqualTo("Set sync_binlog = 1.");
            statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 3");
            assertThat(durability(server)).isEmpty();
            statement.execute("SET GLOBAL sync_binlog = 1");
            assertThat(durability(server)).isEmpty();
            statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            assertThat(durability(server)).isEmpty();
            statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
            assertThat(durability(server))
                    .extracting(Finding::cure)
                    .containsExactly("Set innodb_flush_log_at_trx_commit = 1.");
        }
    }

    private static List<Finding> durability(MariaDbServer server) {
        return BelayAdmin.examine(server.url()).stream()
                .filter(finding -> finding.subject().equals("durability"))
                .toList();
    }

    @Test
    @Tag("long")
    void aMariaDbThatIsAReplica() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.builder()
                .options("--server-id=2", "--skip-grant-tables")
                .start()) {
            BelayAdmin.prepare(server.url());
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=1, MASTER_USER='nobody'");
            }
            assertThat(BelayAdmin.examine(server.url()))
                    .filteredOn(finding -> finding.subject().equals("replicas"))
                    .extracting(Finding::finding)
                    .singleElement()
                    .asString()
                    .startsWith("The server is a replica of 127.0.0.1, which it does not follow now:");
        }
    }

    @Test
    @Tag("long")
    void aMariaDbInClearIsToldUnlessItIsNear() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (Certificates certificates = Certificates.create();
                MariaDbServer server = MariaDbServer.builder()
                        .withoutFsync()
                        .tls(certificates)
                        .options("--require-secure-transport=OFF")
                        .start()) {
            BelayAdmin.prepare(server.url());
            String clear = server.url().replace("verify-full", "disable");
            assertThat(subjects(clear)).doesNotContain("encryption");
            assertThat(subjects(away(clear))).contains("encryption");
            // The certificate does not have that name.
            assertThat(subjects(away(server.url().replace("verify-full", "verify-ca"))))
                    .doesNotContain("encryption");
        }
    }

    @Test
    @Tag("long")
    void aMySqlInClear(@TempDir Path directory) throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        Path users = Files.writeString(
                directory.resolve("users.sql"),
                "CREATE USER poor;\nGRANT ALL ON belay.* TO belay WITH GRANT OPTION;\n");
        try (MySqlServer server = MySqlServer.builder()
                .withoutFsync()
                .options("--init-file=" + users)
                .start()) {
            BelayAdmin.prepare(server.url());
            assertThat(BelayAdmin.examine(away(server.url())))
                    .anyMatch(finding -> finding.subject().equals("encryption"))
                    .anyMatch(finding -> finding.cure().equals("Set sync_binlog = 1."));
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON belay_lock TO poor");
            }
            assertThat(subjects(server.url().replaceFirst("user=[^&]*&password=[^&]*", "user=poor")))
                    .as("the rights of the page show what there is")
                    .doesNotContain("table");
        }
    }

    /** Returns the URL with an address that leads here, too, and does not look so. */
    private static String away(String url) {
        return url.replace("127.0.0.1", "0.0.0.0");
    }

    @Test
    void aPostgresWithAReplicaThatDoesNotFollow() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            letReplicasIn(server);
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement();
                    Connection replica = replication(server.url());
                    PGReplicationStream stream = physical(replica)) {
                statement.execute("CREATE TABLE big AS SELECT repeat('x', 1000) FROM generate_series(1, 30000)");
                assertThat(stream.getLastFlushedLSN()).isNotNull();
                assertThat(BelayAdmin.examine(server.url()))
                        .filteredOn(finding -> finding.subject().equals("replicas"))
                        .extracting(Finding::finding)
                        .hasSize(2)
                        .anyMatch(sentence -> sentence.startsWith("The replica straggler is not in step yet (catchup)")
                                || sentence.matches("The replica straggler is \\d+ MB behind,.*"));
                statement.execute("CREATE USER poor PASSWORD 'poor'");
                statement.execute("GRANT SELECT ON belay_lock TO poor");
                String poor = server.url().replaceFirst("user=[^&]*", "user=poor&password=poor");
                assertThat(BelayAdmin.examine(poor))
                        .extracting(Finding::cure)
                        .contains("Run GRANT pg_read_all_stats TO poor to let it, or look yourself.");
            }
        }
    }

    @Test
    void aPostgresWhoseCommitsDoNotWaitForTheReplicaThatIsNamed() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = patientPostgres()) {
            BelayAdmin.prepare(server.url());
            letReplicasIn(server);
            try (Connection replica = replication(server.url());
                    PGReplicationStream stream = physical(replica)) {
                assertThat(commits(server, "straggler", "local"))
                        .extracting(Finding::cure)
                        .singleElement()
                        .asString()
                        .startsWith("Set synchronous_commit = on,");
                assertThat(stream.isClosed()).isFalse();
            }
        }
    }

    /** Nobody takes over who copies the server, or subscribes to some of its tables. */
    @Test
    void aPostgresWithOthersThanReplicas() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = patientPostgres("-c", "wal_level=logical")) {
            BelayAdmin.prepare(server.url());
            letReplicasIn(server);
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_create_logical_replication_slot('subscriber', 'pgoutput')");
                statement.execute("CREATE USER poor PASSWORD 'poor'");
                statement.execute("GRANT SELECT ON belay_lock TO poor");
            }
            try (Connection subscriber = replication(server.url(), "database", "subscriber");
                    PGReplicationStream changes = subscriber
                            .unwrap(PGConnection.class)
                            .getReplicationAPI()
                            .replicationStream()
                            .logical()
                            .withSlotName("subscriber")
                            .withSlotOption("proto_version", 1)
                            .withSlotOption("publication_names", "none")
                            .start();
                    Connection copy = replication(server.url(), "true", "pg_basebackup");
                    PGReplicationStream log = physical(copy)) {
                assertThat(subjects(server.url())).doesNotContain("replicas");
                String poor = server.url().replaceFirst("user=[^&]*", "user=poor&password=poor");
                assertThat(BelayAdmin.examine(poor))
                        .extracting(Finding::subject)
                        .doesNotContain("replicas", "not seen");
                assertThat(commits(server, "away", "on"))
                        .extracting(Finding::severity)
                        .containsExactly(Finding.Severity.DANGER);
                assertThat(changes.isClosed() || log.isClosed()).isFalse();
            }
        }
    }

    /** Returns a server that does not hang up on those who never say how far they are. */
    private static PostgresServer patientPostgres(String... options) throws Exception {
        return PostgresServer.builder()
                .withoutFsync()
                .options("-c", "wal_sender_timeout=0")
                .options(options)
                .start();
    }

    /** Has commits wait for a replica, or not, and returns what is said of commits. */
    private static List<Finding> commits(PostgresServer server, String replica, String commit) throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER USER postgres SET synchronous_commit = " + commit);
            statement.execute("ALTER SYSTEM SET synchronous_standby_names = '" + replica + "'");
            statement.execute("SELECT pg_reload_conf()");
            await().until(() -> {
                try (ResultSet names = statement.executeQuery("SHOW synchronous_standby_names")) {
                    return names.next() && names.getString(1).equals(replica);
                }
            });
        }
        return BelayAdmin.examine(server.url()).stream()
                .filter(finding -> finding.finding().startsWith("Commits "))
                .toList();
    }

    private static PGReplicationStream physical(Connection replica) throws SQLException {
        return replica.unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .physical()
                .withStartPosition(LogSequenceNumber.valueOf("0/1000000"))
                .start();
    }

    private static void letReplicasIn(PostgresServer server) throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            try (ResultSet file = statement.executeQuery("SHOW hba_file")) {
                file.next();
                Files.writeString(
                        Path.of(file.getString(1)),
                        "host replication all 127.0.0.1/32 trust\n",
                        StandardOpenOption.APPEND);
            }
            statement.execute("SELECT pg_reload_conf()");
            await().ignoreExceptions()
                    .untilAsserted(() -> replication(server.url()).close());
            await().until(() -> {
                try (ResultSet left = statement.executeQuery("SELECT count(*) FROM pg_stat_replication")) {
                    return left.next() && left.getInt(1) == 0;
                }
            });
        }
    }

    /** Connects as a replica does, and never says that it has got anything. */
    private static Connection replication(String url) throws SQLException {
        return replication(url, "true", "straggler");
    }

    private static Connection replication(String url, String kind, String name) throws SQLException {
        Properties properties = new Properties();
        properties.put("replication", kind);
        properties.put("preferQueryMode", "simple");
        properties.put("assumeMinServerVersion", "12");
        properties.put("ApplicationName", name);
        return DriverManager.getConnection(url, properties);
    }

    @Test
    void postgresShowsTheVersionsOfItsClients() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            try (Belay own = Belay.connect(server.url());
                    Connection looking = DriverManager.getConnection(server.url());
                    Statement statement = looking.createStatement()) {
                assertThat(own.admin().inspect("x").claims()).isEmpty();
                try (ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE application_name = '"
                                + ClientVersion.label() + "'")) {
                    rows.next();
                    assertThat(rows.getInt(1)).isPositive();
                }
                assertThat(subjects(server.url())).doesNotContain("clients");
                statement.execute("SET application_name = 'belay/9.9.9'");
                assertThat(subjects(server.url())).contains("clients");
            }
        }
    }

    /** As of a server that only talks like PostgreSQL. */
    @Test
    void whatAServerDoesNotKnowIsNoFailure() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE USER poor PASSWORD 'poor'");
                statement.execute("GRANT SELECT ON belay_lock TO poor");
                statement.execute("REVOKE EXECUTE ON FUNCTION pg_current_wal_lsn() FROM PUBLIC");
            }
            assertThat(BelayAdmin.examine(server.url().replaceFirst("user=[^&]*", "user=poor&password=poor")))
                    .filteredOn(finding -> finding.subject().equals("not seen"))
                    .extracting(Finding::finding)
                    .containsExactly(
                            "The server does not tell this user how far replicas are behind, so that has not been"
                                    + " looked at.");
        }
    }

    private static List<String> subjects(String url) {
        return BelayAdmin.examine(url).stream().map(Finding::subject).toList();
    }

    /** Versions that no server on this machine has. */
    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 13.23, NOTE",
        "PostgreSQL, '14.3 (Debian 14.3-1)', WARNING",
        "PostgreSQL, 14.4, NOTE",
        "PostgreSQL, 15.0, ''",
        "PostgreSQL, 18.1, ''",
        "MariaDB, 10.5.29-MariaDB, NOTE",
        "MySQL, 10.6.1-MariaDB-log, NOTE",
        "MariaDB, 10.11.18-MariaDB-0+deb12u1, ''",
        "MariaDB, 11.2.1-MariaDB, NOTE",
        "MariaDB, 11.4.2-MariaDB, ''",
        "MariaDB, 12.3.1-MariaDB, ''",
        "MySQL, 8.0.46, NOTE",
        "MySQL, 8.4.9, ''",
        "H2, 1.4.200, ''",
    })
    void aVersion(String product, String version, String severities) {
        assertThat(DatabaseFaults.of(product, version).stream().map(Finding::severity))
                .map(Finding.Severity::name)
                .isEqualTo(severities.isEmpty() ? List.of() : List.of(severities));
    }

    @Test
    void embeddedDatabasesSayHowFarTheyReachOrWhatTheyMayForget(@TempDir Path directory) {
        String file = "jdbc:h2:file:" + directory.resolve("h2");
        BelayAdmin.prepare(file);
        String sqlite = "jdbc:sqlite:" + directory.resolve("sqlite.db");
        BelayAdmin.prepare(sqlite);
        for (String url : new String[] {
            "jdbc:h2:mem:examined;INIT=CREATE TABLE IF NOT EXISTS belay_lock ("
                    + "name VARBINARY(512), version BIGINT, state VARBINARY, forget BIGINT)",
            file,
            sqlite
        }) {
            assertThat(BelayAdmin.examine(url)).extracting(Finding::severity).containsExactly(Finding.Severity.NOTE);
        }
    }

    @Test
    void sqliteOnADiskThatMachinesShareIsADanger() {
        Path file = Path.of("/srv/shop.db.belay");
        assertThat(SqliteFiles.examine(file, "nfs4"))
                .singleElement()
                .matches(finding -> finding.severity() == Finding.Severity.DANGER)
                .extracting(Finding::finding)
                .asString()
                .startsWith(file + " is on a file system of type nfs4,");
        assertThat(SqliteFiles.examine(file, "ext4")).isEmpty();
    }

    @Test
    void sqliteWhoseFileSystemIsNotToldIsNoted(@TempDir Path directory) {
        assertThat(SqliteFiles.examine(directory.resolve("absent")))
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.NOTE);
    }
}
