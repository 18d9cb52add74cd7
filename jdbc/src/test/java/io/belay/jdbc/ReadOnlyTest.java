package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.document.Documents;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.servers.TcpProxy;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases that cannot be written to for some seconds, as while another server takes over. */
@Tag("drivers")
@Tag("long")
class ReadOnlyTest {
    private static final Duration SWITCH_OVER = Duration.ofSeconds(5);
    private static final Pattern NO_LISTENING =
            Pattern.compile("(?m)^(\\S+) (\\S+) .*cannot execute LISTEN during recovery$");

    @Test
    void aPostgresThatIsReadOnlyForSomeSecondsIsWaitedFor() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            String reload = "SELECT pg_reload_conf()";
            waitersSurvive(
                    server.url(),
                    server.url(),
                    "default_transaction_read_only, which is set by: configuration file",
                    new String[] {"ALTER SYSTEM SET default_transaction_read_only = on", reload},
                    new String[] {"ALTER SYSTEM SET default_transaction_read_only = off", reload});
        }
    }

    @Test
    @Tag("long")
    void aMariaDbThatIsReadOnlyForSomeSecondsIsWaitedFor() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            BelayAdmin.prepare(server.url());
            String root = "jdbc:mariadb://127.0.0.1:" + server.port() + "/belay?user=root";
            for (String url : new String[] {server.url(), server.mysqlUrl()}) {
                waitersSurvive(
                        url, root, "SET GLOBAL read_only = 0", new String[] {"SET GLOBAL read_only = 1"}, new String[] {
                            "SET GLOBAL read_only = 0"
                        });
            }
        }
    }

    /** MySQL's driver goes on with the next server of the URL, to which it lets nobody write. */
    @Test
    void whileTheFirstOfTwoServersIsAwayItIsWaitedFor() throws Exception {
        ofTwoServers((first, url) -> whileItIsAwayItIsWaitedFor(first, () -> Belay.connect(url)));
    }

    @Test
    void byAPoolItIsWaitedForAsWell() throws Exception {
        ofTwoServers((first, url) -> {
            try (BasicDataSource pool = new BasicDataSource()) {
                pool.setUrl(url);
                pool.setMaxTotal(4);
                pool.setMaxWait(Pace.patience());
                whileItIsAwayItIsWaitedFor(first, () -> Belay.connect(Jdbc.in(pool), BelayOptions.defaults()));
            }
        });
    }

    private interface OfTwo {
        void with(TcpProxy first, String url) throws Exception;
    }

    private static void ofTwoServers(OfTwo body) throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start();
                TcpProxy first = TcpProxy.to(server)) {
            String second = server.mysqlUrl();
            BelayAdmin.prepare(second);
            body.with(first, second.replace("//", "//127.0.0.1:" + first.port() + ","));
        }
    }

    private static void whileItIsAwayItIsWaitedFor(TcpProxy first, Supplier<Belay> connecting) {
        try (Belay waiter = connecting.get()) {
            first.cut();
            CompletableFuture<Lease> waiting = waiter.lock("a").acquireAsync();
            assertThat(Told.by(
                            StoreUnavailableException.class,
                            () -> connecting.get().close()))
                    .contains("cannot be reached or does not answer: the first of its servers is away");
            assertThat(waiting).isNotDone();
            first.pass();
            assertThat(waiting).succeedsWithin(Pace.patience());
        }
    }

    /** It may be left behind, with another server in its place. */
    @Test
    void noOtherConnectionGoesOnWithAServerThatWasReadOnly() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(server.url())));
            CountDownLatch missed = new CountDownLatch(1);
            documents.listen(1, new Documents.Bell() {
                @Override
                public void rang(String resource) {}

                @Override
                public void missed() {
                    missed.countDown();
                }
            });
            try (JdbcSession writes = documents.connect();
                    JdbcSession reads = documents.connect()) {
                makeReadOnly(server.url(), writes);
                assertIsLeft(() -> reads.read(List.of("x")));
                assertThat(missed.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
                assertThatThrownBy(documents::connect)
                        .as("nor does one that can but read")
                        .hasMessageContaining(" is read-only now: ");
                run(server.url(), "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()");
                await().ignoreExceptions().untilAsserted(() -> {
                    try (JdbcSession next = documents.connect()) {
                        assertThat(next.read(List.of("x")).found()).isEmpty();
                    }
                });
            } finally {
                documents.close();
            }
        }
    }

    /** Each connection to it can be made, and has to be left: a client does so less and less often. */
    @Test
    void aPostgresThatStaysReadOnlyIsLeftEverMoreSlowly() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            String reload = "SELECT pg_reload_conf()";
            run(server.url(), "ALTER SYSTEM SET default_transaction_read_only = on", reload);
            isLeftEverMoreSlowly(server.url());
        }
    }

    @Test
    void aMariaDbThatStaysReadOnlyIsLeftEverMoreSlowly() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            BelayAdmin.prepare(server.url());
            run("jdbc:mariadb://127.0.0.1:" + server.port() + "/belay?user=root", "SET GLOBAL read_only = 1");
            isLeftEverMoreSlowly(server.url());
            isLeftEverMoreSlowly(server.mysqlUrl());
        }
    }

    /** Nobody can listen there, and whoever has no lock finds out nothing else. */
    @Test
    void aStandbyIsLeftEverMoreSlowlyByWhoOnlyListens() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            try (Belay listens = Belay.connect(server.url())) {
                server.restartAsStandby();
                await().untilAsserted(() -> assertThat(refusals(server)).hasSizeGreaterThan(5));
                List<LocalDateTime> refusals = refusals(server);
                // after 50, 100, 200, 400 and 800 ms at the least
                assertThat(Duration.between(refusals.get(0), refusals.get(5))).isGreaterThan(Duration.ofMillis(1550));
            }
        }
    }

    /** Returns when the server has let nobody listen, by its log. */
    private static List<LocalDateTime> refusals(PostgresServer server) throws IOException {
        return NO_LISTENING
                .matcher(server.log())
                .results()
                .map(line -> LocalDateTime.parse(line.group(1) + "T" + line.group(2)))
                .toList();
    }

    private static void isLeftEverMoreSlowly(String url) {
        List<Documents.Change> change = List.of(new Documents.Change("x", 1, 2, new byte[0], 0));
        long begin = System.nanoTime();
        try (JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(url)))) {
            for (int i = 0; i < 6; i++) {
                assertThatThrownBy(() -> {
                            try (JdbcSession session = documents.connect()) {
                                session.write(change, Long.MAX_VALUE);
                            }
                        })
                        .hasMessageContaining(" is read-only now: ");
            }
        }
        // after 50, 100, 200, 400 and 800 ms at the least
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1550));
    }

    /** Whoever found that out, and though the connection was asked for before. */
    @Test
    void neitherOneThatWasAskedForBeforeNorOneThatListsNamesGoesOn() throws Exception {
        String url = "jdbc:h2:mem:readonly;DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(url);
        SQLException refusal = new SQLException("read-only", "25006");
        List<Failures> told = new ArrayList<>();
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Connection opened = DriverManager.getConnection(url);
                    told.forEach(failures -> failures.of(refusal));
                    return opened;
                });
        Connections connections = Connections.of(source, Settings.DEFAULT);
        try (JdbcDocuments documents = new JdbcDocuments(connections)) {
            try (JdbcSession lists = documents.connect()) {
                lists.names("", "");
                connections.failures().of(refusal);
                assertIsLeft(() -> lists.names("", ""));
            }
            told.add(connections.failures());
            try (JdbcSession reads = documents.connect()) {
                assertIsLeft(() -> reads.read(List.of("x")));
            }
        }
    }

    private static void makeReadOnly(String url, JdbcSession writes) throws Exception {
        List<Documents.Change> change = List.of(new Documents.Change("x", 1, 2, new byte[0], 0));
        run(url, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
        await().untilAsserted(() -> assertThatThrownBy(() -> writes.write(change, Long.MAX_VALUE))
                .hasMessageContaining(" is read-only now: "));
    }

    private static void assertIsLeft(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessageEndingWith(" is connected to anew, as it was read-only");
    }

    private static void waitersSurvive(String url, String admin, String cure, String[] begin, String[] end)
            throws Exception {
        try (Belay holder = Belay.connect(url);
                Belay waiter = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            Lease held = holder.lock("a").acquire();
            CompletableFuture<Lease> waiting = waiter.lock("a").acquireAsync();
            run(admin, begin);
            CompletableFuture<Lease> late = other.lock("b").acquireAsync();
            assertThat(Told.by(
                            StoreUnavailableException.class,
                            () -> Belay.connect(url).close()))
                    .contains(" is read-only now: ");
            assertThat(BelayAdmin.examine(url))
                    .filteredOn(finding -> finding.severity() == Finding.Severity.WARNING)
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.finding()).startsWith("The server is read-only");
                        assertThat(finding.cure()).contains(cure);
                    });
            await().pollDelay(SWITCH_OVER).until(() -> true);
            assertThat(waiting).isNotDone();
            assertThat(late).isNotDone();
            run(admin, end);
            assertThat(late).succeedsWithin(Pace.patience());
            held.release();
            assertThat(waiting).succeedsWithin(Pace.patience());
        }
    }

    private static void run(String url, String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
