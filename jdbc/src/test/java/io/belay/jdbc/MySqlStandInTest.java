package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which driver takes a URL of MySQL's: its own, or MariaDB's where that is not on the class path. */
@Tag("long")
class MySqlStandInTest {
    private static final String MYSQL = "com.mysql.cj.jdbc.Driver";
    private static final String MARIADB = "org.mariadb.jdbc.Driver";

    /** The login in a URL of a server's. */
    private static final Pattern LOGIN = Pattern.compile("user=(\\w+)&password=([^&]+)&?");

    private final List<Driver> without = new ArrayList<>();

    /** Takes a driver away, as if its jar were not there, until the test ends. */
    private void takeAway(String name) throws SQLException {
        for (Driver driver : DriverManager.drivers().toList()) {
            if (driver.getClass().getName().equals(name)) {
                DriverManager.deregisterDriver(driver);
                without.add(driver);
            }
        }
        assertThat(without).extracting(driver -> driver.getClass().getName()).contains(name);
    }

    @AfterEach
    void giveBack() throws SQLException {
        for (Driver driver : without) {
            DriverManager.registerDriver(driver);
        }
    }

    @Test
    void mysqlsOwnDriverTakesItsUrlAsItIs() {
        assertThat(MySqlStandIn.url("jdbc:mysql://h/d?user=u")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mysql://h/d, jdbc:mysql://h/d?permitMysqlScheme=true",
        "jdbc:mysql://h:1/d?user=u, jdbc:mysql://h:1/d?user=u&permitMysqlScheme=true",
        "jdbc:mysql:replication://a:1/d, jdbc:mysql:replication://a:1/d?permitMysqlScheme=true"
    })
    void mariaDbsIsPermittedToStandIn(String url, String permitted) throws Exception {
        takeAway(MYSQL);
        assertThat(MySqlStandIn.url(url)).contains(permitted);
    }

    @Test
    void mariaDbsTakesAsItIsWhatIsMeantForIt() throws Exception {
        takeAway(MYSQL);
        assertThat(MySqlStandIn.url("jdbc:mariadb://h/d")).isEmpty();
        assertThat(MySqlStandIn.url("jdbc:mysql://h/d?permitMysqlScheme")).isEmpty();
        assertThat(MySqlStandIn.url("jdbc:h2:mem:x")).isEmpty();
    }

    @Test
    void withoutEitherNobodyTakesIt() throws Exception {
        takeAway(MYSQL);
        takeAway(MARIADB);
        String url = "jdbc:mysql://h/d?password=geheim";
        assertThat(MySqlStandIn.url(url)).isEmpty();
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                .startsWith("no driver on the class path takes the URL of MySQL or MariaDB at h");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://h/d?sslMode=PREFERRED&password=geheim",
                "jdbc:mysql://h/d?connectTimeout=soon&password=geheim",
                "jdbc:mysql://u:geheim@h:3306/d",
                "jdbc:mysql://u:geheim with a blank@h:3306/d",
                "jdbc:mysql://u:geheim/@h:3306/d",
                "jdbc:mysql://[(host=h,password=geheim),i:4]/d"
            })
    void aUrlThatOnlyMysqlsUnderstands(String url) throws Exception {
        takeAway(MYSQL);
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                .startsWith(
                        JdbcUrl.parse(url).place() + " fails: MariaDB's driver stands in for MySQL's, which is not on")
                .contains("add MySQL's, or write what MariaDB's understands: ");
    }

    @Test
    void aPasswordBeforeAHostOfMariaDbIsNotTold() {
        Told.byConnecting(BelayException.class, "jdbc:mariadb://u:geheim@h/d");
    }

    @Test
    @Tag("drivers")
    @Tag("long")
    void locksAreKeptInMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            takeAway(MYSQL);
            locksAreKept(server.mysqlUrl());
        }
    }

    @Test
    @Tag("drivers")
    void locksAreKeptInMySql() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            takeAway(MYSQL);
            locksAreKept(server.url());
        }
    }

    /**
     * MySQL says why, by a code that its own driver takes for a broken connection, and MariaDB's does not know. Of Belay's own
     * connections it is asked to wait for longer.
     */
    @Test
    @Tag("drivers")
    void aConnectionThatMySqlEndedForWantOfUseIsReplaced() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server =
                MySqlServer.builder().withoutFsync().options("--wait-timeout=4").start()) {
            String url = server.url().replace("jdbc:mysql:", "jdbc:mariadb:");
            BelayAdmin.prepare(url);
            DataSource source = StandIn.of(
                    DataSource.class,
                    (method, text) ->
                            method.equals("getConnection") ? DriverManager.getConnection(url) : Boolean.FALSE);
            try (Belay belay = Belay.connect(Jdbc.in(source), BelayOptions.defaults());
                    Connection watching = DriverManager.getConnection(url);
                    Statement longer = watching.createStatement()) {
                longer.execute("SET SESSION wait_timeout = 600");
                useAllConnections(belay);
                await().atMost(Pace.patience()).until(() -> connections(watching) == 1);
                useAllConnections(belay);
            }
        }
    }

    private static void useAllConnections(Belay belay) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            belay.lock("x").acquire().release();
        }
    }

    private static int connections(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    private static void locksAreKept(String server) throws Exception {
        // Parameters that are MySQL's alone are passed over.
        String url = server + "&serverTimezone=UTC&zeroDateTimeBehavior=CONVERT_TO_NULL&useUnicode=true";
        BelayAdmin.prepare(url);
        BelayAdmin.examine(url);
        try (Belay one = Belay.connect(url)) {
            Matcher login = LOGIN.matcher(url);
            assertThat(login.find()).isTrue();
            Jdbc at = Jdbc.at(login.replaceFirst(""), login.group(1), login.group(2));
            try (Belay other = Belay.connect(at, BelayOptions.defaults())) {
                Lease lease = one.lock("x").acquire();
                assertThat(Premise.answered(() -> other.lock("x").tryAcquire())).isEmpty();
                lease.release();
                other.lock("x").acquire().release();
            }
        }
        try (Connection connection = DriverOrigin.connect(url, new Properties())) {
            assertThat(connection.getMetaData().getDriverName()).contains("MariaDB");
        }
    }
}
