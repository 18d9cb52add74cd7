package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.document.Documents.Change;
import io.belay.servers.Certificates;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import io.belay.servers.ServerProcess;
import io.belay.servers.TcpProxy;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that cannot be used, and how that is said: in one line, with nothing left open. */
@Tag("drivers")
@Tag("long")
class RefusedTest {
    private enum Way {
        POSTGRESQL,
        MARIADB,
        /** MySQL's driver, against MariaDB. */
        MYSQL
    }

    private static final Map<Way, ServerProcess> SERVERS = new EnumMap<>(Way.class);
    private static final Map<Way, String> ADMINS = new EnumMap<>(Way.class);

    @BeforeAll
    static void start() throws Exception {
        if (PostgresServer.isInstalled()) {
            PostgresServer server =
                    PostgresServer.builder().withoutFsync().withPassword().start();
            SERVERS.put(Way.POSTGRESQL, server);
            ADMINS.put(Way.POSTGRESQL, server.url());
            Schema.create(Connections.of(JdbcUrl.parse(server.url())));
            run(Way.POSTGRESQL, "CREATE USER least PASSWORD 'geheim'");
        }
        if (MariaDbServer.isAmongDatabases()) {
            MariaDbServer server = MariaDbServer.builder().withoutFsync().start();
            SERVERS.put(Way.MARIADB, server);
            SERVERS.put(Way.MYSQL, server);
            String root = "//127.0.0.1:" + server.port() + "/belay?user=root";
            ADMINS.put(Way.MARIADB, "jdbc:mariadb:" + root);
            ADMINS.put(Way.MYSQL, "jdbc:mysql:" + root);
            Schema.create(Connections.of(JdbcUrl.parse(server.url())));
            run(Way.MARIADB, "CREATE USER least@'%' IDENTIFIED BY 'geheim'");
        }
    }

    @AfterAll
    static void end() {
        SERVERS.values().forEach(ServerProcess::close);
    }

    private final Set<Thread> before = Told.threads();

    /** Of those who were refused, and of all others. */
    @AfterEach
    void noConnectionIsLeft() {
        Told.assertNoThreadsBut(before);
        SERVERS.keySet()
                .forEach(way -> await().pollDelay(Duration.ZERO)
                        .untilAsserted(() -> assertThat(connections(way)).isZero()));
    }

    private static int connections(Way way) throws SQLException {
        String query = way == Way.POSTGRESQL
                ? "SELECT count(*) FROM pg_stat_activity WHERE usename = 'least'"
                : "SELECT count(*) FROM information_schema.processlist WHERE user = 'least'";
        try (Connection connection = DriverManager.getConnection(ADMINS.get(way));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void run(Way way, String... statements) throws SQLException {
        assumeTrue(ADMINS.containsKey(way), "there is no program of " + way + ", or the short proof leaves it out");
        try (Connection connection = DriverManager.getConnection(ADMINS.get(way));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String url(Way way, String host, String database, String password) {
        return (way == Way.POSTGRESQL ? "jdbc:postgresql" : way == Way.MARIADB ? "jdbc:mariadb" : "jdbc:mysql") + "://"
                + host + "/" + database + "?user=least&password=" + password;
    }

    private static String host(Way way) {
        ServerProcess server = SERVERS.get(way);
        assumeTrue(server != null, "there is no program of " + way + ", or the short proof leaves it out");
        return "127.0.0.1:" + server.port();
    }

    private static String database(Way way) {
        return way == Way.POSTGRESQL ? "postgres" : "belay";
    }

    private static String url(Way way) {
        return url(way, host(way), database(way), "geheim");
    }

    private static String title(Way way) {
        return (way == Way.POSTGRESQL ? "PostgreSQL" : "MySQL or MariaDB") + " at ";
    }

    private static void grant(Way way, String rights) throws SQLException {
        run(
                way,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON belay_lock TO least",
                "REVOKE SELECT, INSERT, UPDATE, DELETE ON belay_lock FROM least",
                "GRANT " + rights + " ON belay_lock TO least");
    }

    @ParameterizedTest
    @EnumSource
    void wrongPassword(Way way) throws Exception {
        grant(way, "SELECT");
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way, host(way), database(way), "geheimer")))
                .startsWith(title(way) + host(way) + " refuses the user or the password")
                .contains(way == Way.POSTGRESQL ? "" : ", or demands TLS or a certificate of this user (");
    }

    /** As where the variable that is to hold it is empty. PostgreSQL's driver refuses that itself. */
    @ParameterizedTest
    @EnumSource
    void emptyPassword(Way way) throws Exception {
        grant(way, "SELECT");
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way, host(way), database(way), "")))
                .startsWith(title(way) + host(way) + " refuses the ");
    }

    @Test
    void tlsWherePostgresHasNone() {
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(Way.POSTGRESQL) + "&sslmode=require"))
                .startsWith(title(Way.POSTGRESQL) + host(Way.POSTGRESQL) + " refuses the connection: ");
    }

    @Test
    void certificatesThatAreNotTrusted() throws Exception {
        host(Way.POSTGRESQL);
        try (Certificates certificates = Certificates.create();
                PostgresServer server = PostgresServer.builder()
                        .withoutFsync()
                        .tls(certificates)
                        .start()) {
            String at = "127.0.0.1:" + server.port();
            String login = "jdbc:postgresql://" + at + "/postgres?user=least&password=geheim&sslmode=";
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, login + "disable"))
                    .as("this server asks for TLS")
                    .startsWith("PostgreSQL at " + at + " refuses the connection (FATAL: no pg_hba.conf entry for ");
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, login + "full"))
                    .startsWith("PostgreSQL at " + at + " is not connected to, ")
                    .endsWith(": Invalid sslmode value: full");
            String url = login + "verify-full&sslrootcert=";
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url + certificates.strangerFile()))
                    .startsWith("PostgreSQL at " + at + " cannot be connected to by TLS: ")
                    .contains("valid certification path", "by sslrootcert=FILE in the URL");
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url + "/no/such.crt"))
                    .startsWith("PostgreSQL at " + at + " cannot be connected to by TLS: ")
                    .contains("/no/such.crt");
        }
    }

    @Test
    void certificatesThatMariaDbsDriverDoesNotTrust() throws Exception {
        host(Way.MARIADB);
        try (Certificates certificates = Certificates.create();
                MariaDbServer server = MariaDbServer.builder().tls(certificates).start()) {
            String at = "127.0.0.1:" + server.port();
            String url = "jdbc:mariadb://" + at + "/?user=least&sslMode=verify-full";
            String told = title(Way.MARIADB) + at + " cannot be connected to by TLS: ";
            assertThat(Told.byConnecting(
                            StoreMisconfiguredException.class, url + "&serverSslCert=" + certificates.strangerFile()))
                    .startsWith(told)
                    .contains("by serverSslCert=FILE");
            assertThat(Told.byConnecting(
                            StoreMisconfiguredException.class,
                            url.replace("jdbc:mariadb:", "jdbc:mysql:").replace("verify-full", "VERIFY_IDENTITY")))
                    .startsWith(told)
                    .contains("trustCertificateKeyStoreUrl=file:KEYSTORE");
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url + "&serverSslCert=/no/such.crt"))
                    .startsWith(told)
                    .contains("/no/such.crt");
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                    .contains("provide server certificate to client");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void anAccountThatHasToUseTls(Way way) throws Exception {
        run(way, "CREATE OR REPLACE USER tls@'%' IDENTIFIED BY 'geheim' REQUIRE SSL");
        assertThat(Told.byConnecting(
                        StoreMisconfiguredException.class,
                        url(way).replace("user=least", "user=tls")
                                + (way == Way.MYSQL ? "&sslMode=DISABLED" : "&sslMode=disable")))
                .startsWith(title(way) + host(way) + " refuses the user or the password, or demands TLS")
                .contains("Access denied for user 'tls'@");
    }

    @Test
    void aPasswordThatMySqlHasNotSeenSinceItsStart() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            BelayAdmin.prepare(server.url());
            String login = server.url().replaceAll("&sslMode=.*", "");
            String mariaDbs = login.replace("jdbc:mysql:", "jdbc:mariadb:");
            for (String url : List.of(login + "&sslMode=DISABLED", mariaDbs)) {
                server.startAgain();
                assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                        .startsWith(title(Way.MYSQL) + "127.0.0.1:" + server.port() + " lets nobody in without TLS ")
                        .contains("add sslMode=REQUIRED");
                Belay.connect(url.replaceAll("&sslMode=.*", "") + "&sslMode=REQUIRED")
                        .close();
                Belay.connect(url).close(); // by now it has seen it
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatTheDriverDoesNotKnow(Way way) {
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way) + "&sslMode=fool&sslmode=fool"))
                .startsWith(title(way) + host(way) + (way == Way.MYSQL ? " fails: " : " is not connected to, "))
                .contains("fool");
    }

    /** Else each write would seem to be refused as others were quicker. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void aClockThatStandsStill(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        assertThat(Told.byConnecting(
                        StoreMisconfiguredException.class, url(way) + "&sessionVariables=timestamp=1700000000"))
                .startsWith(title(way) + host(way) + " fails: the clock of its sessions stands still");
    }

    @ParameterizedTest
    @EnumSource
    void noSuchDatabase(Way way) {
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way, host(way), "nowhere", "geheim")))
                .isEqualTo(title(way) + host(way) + " has no database of that name for this user");
    }

    @ParameterizedTest
    @EnumSource
    void noTable(Way way) throws Exception {
        if (way != Way.POSTGRESQL) {
            run(way, "GRANT SELECT ON belay.* TO least");
        }
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way) + "&belay-table=nowhere"))
                .startsWith(title(way) + host(way) + " has no table nowhere: make it with 'belay schema --store URL")
                .contains("belay-create=true");
        if (way != Way.POSTGRESQL) {
            run(way, "REVOKE SELECT ON belay.* FROM least");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLeastRightsDoAndEachMissingOneIsToldAtOnce(Way way) throws Exception {
        List<String> rights = List.of("SELECT", "INSERT", "UPDATE", "DELETE");
        grant(way, String.join(", ", rights));
        try (Belay belay = Belay.connect(url(way));
                Belay other = Belay.connect(url(way))) {
            try (Lease held = belay.lock("a").acquire()) {
                assertThat(Premise.answered(() -> other.lock("a").tryAcquire())).isEmpty();
                assertThat(held.isHeld()).isTrue();
            }
            other.lock("a").acquire().release();
        }
        for (String missing : rights) {
            grant(
                    way,
                    String.join(
                            ", ",
                            rights.stream()
                                    .filter(right -> !right.equals(missing))
                                    .toList()));
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way)))
                    .startsWith(
                            title(way) + host(way)
                                    + " forbids what is needed: the user needs SELECT, INSERT, UPDATE and DELETE on belay_lock (");
        }
    }

    /** A server that refuses each of many statements would have to let somebody in as often. */
    @ParameterizedTest
    @EnumSource
    void aRightThatIsTakenAwayLaterCostsFewConnections(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        host(way);
        try (TcpProxy proxy = TcpProxy.to(SERVERS.get(way).port());
                Belay belay = Belay.connect(url(way, "127.0.0.1:" + proxy.port(), database(way), "geheim"))) {
            Lease held = belay.lock("a").acquire();
            run(way, "REVOKE INSERT, UPDATE ON belay_lock FROM least");
            int before = proxy.accepted();
            long begin = System.nanoTime();
            for (int i = 0; i < 60; i++) {
                Told.by(BelayException.class, () -> belay.lock("b").tryAcquire());
            }
            long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
            assertThat(proxy.accepted() - before).isLessThanOrEqualTo((int) (4 + 2 * seconds));
            run(way, "GRANT INSERT, UPDATE ON belay_lock TO least");
            belay.lock("b").acquire().release();
            held.release();
        }
    }

    /** Each such statement would cost a connection. */
    @ParameterizedTest
    @EnumSource
    void aConnectionOutlivesAStatementThatTheServersTimeLimitEnds(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        String limited = url(way)
                + (way == Way.POSTGRESQL
                        ? "&options=-c%20statement_timeout=200"
                        : "&sessionVariables=max_statement_time=0.2");
        List<Change> change = List.of(new Change("slow", 1, 2, new byte[0], Long.MAX_VALUE));
        try (Connections source = Connections.of(JdbcUrl.parse(limited));
                JdbcSession session = new JdbcDocuments(source).connect();
                Connection other = DriverManager.getConnection(ADMINS.get(way));
                Statement statement = other.createStatement()) {
            session.write(List.of(new Change("slow", 0, 1, new byte[0], Long.MAX_VALUE)), Long.MAX_VALUE);
            other.setAutoCommit(false);
            statement.execute("SELECT version FROM belay_lock WHERE name = 'slow' FOR UPDATE");
            StoreException ended =
                    catchThrowableOfType(StoreException.class, () -> session.write(change, Long.MAX_VALUE));
            assertThat(ended).hasMessageContaining(" has ended a statement before it was done, as by a time limit");
            assertThat(session.survives(ended)).isTrue();
            other.rollback();
            assertThat(session.write(change, Long.MAX_VALUE)).containsExactly("slow");
            statement.execute("DELETE FROM belay_lock WHERE name = 'slow'");
            other.commit();
        }
    }

    /** Who has the rights of the page sees all of the table's that the doctor looks at. */
    @ParameterizedTest
    @EnumSource
    void theLeastRightsDoForTheDoctor(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        assertThat(BelayAdmin.examine(url(way))).extracting(Finding::subject).doesNotContain("table");
    }

    /** Who asks for tables that are there needs no right to make any. */
    @ParameterizedTest
    @EnumSource
    void tablesThatAreThereAreNotMade(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        run(way, "GRANT SELECT, INSERT, UPDATE ON belay_fence TO least");
        try (Belay belay = Belay.connect(url(way) + "&belay-create=true")) {
            belay.lock("a").acquire().release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoMayNotMakeATableIsToldSo(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        assertThat(Told.byConnecting(
                        StoreMisconfiguredException.class, url(way) + "&belay-create=true&belay-table=absent"))
                .startsWith(title(way) + host(way) + " has no table absent"
                        + (way == Way.POSTGRESQL ? "" : " that this user may read")
                        + ", and this user may not make it (")
                .contains("): grant it CREATE, or make the table as another user with 'belay schema");
    }

    /** PostgreSQL tells that from a table which is not there, and MySQL does not. */
    @ParameterizedTest
    @EnumSource
    void whoMayNotUseTheGuardsTableIsToldSo(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        run(
                way,
                "GRANT SELECT, INSERT, UPDATE ON belay_fence TO least",
                "REVOKE SELECT, INSERT, UPDATE ON belay_fence FROM least");
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url(way) + "&belay-create=true"))
                .startsWith(title(way)
                        + host(way)
                        + (way == Way.POSTGRESQL
                                ? " forbids what is needed: the user needs SELECT, INSERT and UPDATE on belay_fence ("
                                : " has no table belay_fence that this user may read, and"))
                .contains("SELECT, INSERT and UPDATE on belay_fence")
                .doesNotContain("DELETE");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyThere(Way way) throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            String host = "127.0.0.1:" + bound.getLocalPort();
            assertThat(Told.byConnecting(StoreUnavailableException.class, url(way, host, "x", "geheim")))
                    .startsWith(title(way) + host + " cannot be reached or does not answer: ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSilentServerIsGivenUp(Way way) throws Exception {
        host(way);
        SERVERS.get(way).stop();
        try {
            assertThat(Told.byConnecting(StoreUnavailableException.class, url(way) + "&belay-timeout=1s"))
                    .startsWith(title(way) + host(way) + " cannot be reached or does not answer: ");
        } finally {
            SERVERS.get(way).resume();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientOfASilentServerCanBeClosed(Way way) throws Exception {
        grant(way, "SELECT, INSERT, UPDATE, DELETE");
        Belay belay = Belay.connect(url(way) + "&belay-timeout=1s");
        belay.lock("b" + way).acquire(); // it stays until its lease ends
        SERVERS.get(way).stop();
        try {
            belay.close();
        } finally {
            SERVERS.get(way).resume();
        }
    }

    @Test
    void noDriver() throws Exception {
        String url = "jdbc:sqlite:x.db?password=geheim&belay-create=true";
        Driver driver = DriverManager.getDriver(url);
        DriverManager.deregisterDriver(driver);
        try {
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                    .isEqualTo(
                            "no driver on the class path takes the URL of SQLite: add that of the database (a command takes"
                                    + " its jar by --driver)");
        } finally {
            DriverManager.registerDriver(driver);
        }
    }

    /** Drivers tell the URL then, and some take a part of it for something else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:nowhere;PASSWORD=geheim",
                "jdbc:mariadb://h:x/d?user=u&password=geheim",
                "jdbc:mysql://h:x/d?user=u&password=geheim",
                "jdbc:mysql://u:geheim@h:x/d",
                "jdbc:h2:nowhere;CIPHER=AES;PASSWORD=file geheim",
                "jdbc:postgresql://h:99999/d?user=u&password=correct geheim",
                "jdbc:sqlite:/no/such/directory/x.db?password=geheim"
            })
    void aUrlThatTheDriverCannotUse(String url) {
        assertThat(Told.byConnecting(BelayException.class, url))
                .startsWith(JdbcUrl.parse(url).place());
    }

    @Test
    void rubbishInARowConcernsThatLockOnly() throws Exception {
        String url = "jdbc:h2:mem:rubbish;DB_CLOSE_DELAY=-1;belay-create=true";
        try (Belay belay = Belay.connect(url)) {
            belay.lock("a").acquire().release();
            try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:rubbish");
                    Statement statement = connection.createStatement()) {
                for (String rubbish : List.of("X''", "X'ff'", "X'01'", "X'01000000000000000001020304'")) {
                    statement.execute("UPDATE belay_lock SET version = version + 1, state = " + rubbish);
                    assertThat(Told.by(
                                    StoreMisconfiguredException.class,
                                    () -> belay.lock("a").acquire()))
                            .contains("'a'")
                            .contains("delete it once nobody holds that lock");
                    belay.lock("b" + rubbish).acquire().release();
                    statement.execute("DELETE FROM belay_lock WHERE name <> X'61'");
                }
                statement.execute("DELETE FROM belay_lock");
            }
            belay.lock("a").acquire().release();
        }
    }
}
