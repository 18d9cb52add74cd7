package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.document.Documents;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A PostgreSQL that is not listened to, as those that speak its protocol and have no LISTEN. */
class QuietPostgresTest {
    private static int listening(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE query ILIKE 'listen%'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void withoutTheBellAWaiterAsks() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            String quiet = server.url() + (server.url().contains("?") ? "&" : "?") + "belay-bell=false";
            try (Belay one = Belay.connect(quiet);
                    Belay other = Belay.connect(quiet)) {
                Lease held = one.lock("quiet").acquire();
                CompletableFuture<Lease> waiting = other.lock("quiet").acquireAsync();
                assertThat(one.admin().inspect("quiet").claims()).isNotEmpty();
                assertThat(listening(server.url())).isZero();
                held.release();
                Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(held.token());
                next.release();
            }
            try (Belay listens = Belay.connect(server.url())) {
                assertThat(listens.lock("loud").acquire().isHeld()).isTrue();
                assertThat(listening(server.url())).isOne();
            }
        }
    }

    /** A process at its limit of threads, which tries again and again to connect, would use up the server's connections. */
    @Test
    void aBellForWhichThereIsNoThreadLeavesNoConnection() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start();
                Connections source = Connections.of(JdbcUrl.parse(server.url()))) {
            PostgresBell bell = new PostgresBell(
                    source,
                    1,
                    new Documents.Bell() {
                        @Override
                        public void rang(String resource) {}

                        @Override
                        public void missed() {}
                    },
                    work -> new Thread(work) {
                        @Override
                        public void start() {
                            throw new OutOfMemoryError("unable to create native thread, says the test");
                        }
                    });
            assertThatThrownBy(bell::start).isInstanceOf(OutOfMemoryError.class);
            await().untilAsserted(() -> assertThat(listening(server.url())).isZero());
        }
    }

    /** As for want of memory. Nobody would listen in its place. */
    @Test
    void aBellWhoseConnectionCannotBeGivenBackIsHeardAgain() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        AtomicBoolean failing = new AtomicBoolean();
        Semaphore missed = new Semaphore(0);
        Documents.Bell heard = new Documents.Bell() {
            @Override
            public void rang(String resource) {
                failing.set(true);
                throw new OutOfMemoryError("says the test");
            }

            @Override
            public void missed() {
                missed.release();
            }
        };
        try (PostgresServer server = PostgresServer.start()) {
            DataSource pool = StandIn.of(
                    DataSource.class,
                    (method, text) -> method.equals("getConnection")
                            ? failing(DriverManager.getConnection(server.url()), failing)
                            : Boolean.FALSE);
            try (Connections source = Connections.of(pool, Settings.DEFAULT);
                    PostgresBell bell = new PostgresBell(source, 1, heard)) {
                assertThat(bell.start()).isTrue();
                execute(server.url(), "NOTIFY belay_1, 'x'");
                assertThat(missed.tryAcquire(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
                assertThat(failing).isFalse();
            }
        }
    }

    /** Returns a connection that cannot be tested, once that is set, one time. */
    private static Connection failing(Connection real, AtomicBoolean failing) {
        return (Connection) Proxy.newProxyInstance(
                real.getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("isValid") && failing.getAndSet(false)) {
                        throw new OutOfMemoryError("says the test");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A client may be opened for a request, and listens as long as it lives. */
    @Test
    void whoListensHasNothingOfWhoConnectsButTheClassLoader() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader callers = new URLClassLoader(new URL[0], before);
        CompletableFuture<String> seen = new CompletableFuture<>();
        Documents.Bell heard = new Documents.Bell() {
            @Override
            public void rang(String resource) {
                seen.complete(tenant.get() + " " + (Thread.currentThread().getContextClassLoader() == callers));
            }

            @Override
            public void missed() {}
        };
        tenant.set("a tenant's");
        Thread.currentThread().setContextClassLoader(callers);
        try (PostgresServer server = PostgresServer.start();
                Connections source = Connections.of(JdbcUrl.parse(server.url()));
                PostgresBell bell = new PostgresBell(source, 1, heard)) {
            assertThat(bell.start()).isTrue();
            execute(server.url(), "NOTIFY belay_1, 'x'");
            assertThat(seen.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("null true");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** As CockroachDB, which shows nobody's process either: the test for poolers finds no LISTEN there. */
    @Test
    void withoutTheBellNoListenIsNeeded() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start();
                ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            BelayAdmin.prepare(server.url());
            execute(server.url(), "CREATE SCHEMA hidden");
            execute(
                    server.url(),
                    "CREATE VIEW hidden.pg_stat_activity AS SELECT * FROM pg_catalog.pg_stat_activity WHERE false");
            String url = server.url(mute.getLocalPort()) + "&currentSchema=hidden,pg_catalog,public";
            ExecutorService threads = Executors.newCachedThreadPool();
            threads.execute(() -> serve(mute, server.port(), threads));
            try {
                try (Belay quiet = Belay.connect(url + "&belay-bell=false")) {
                    assertThat(quiet.lock("quiet").acquire().isHeld()).isTrue();
                }
                assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                        .contains("fails: ERROR: syntax error at or near \"LISSEN\"");
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Passes on what clients and a server say, but for one word, which the server does not know then. */
    private static void serve(ServerSocket mute, int port, ExecutorService threads) {
        try {
            while (true) {
                Socket client = mute.accept();
                Socket server = new Socket(mute.getInetAddress(), port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                threads.execute(() -> pass(client, server));
                threads.execute(() -> pass(server, client));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] chunk = new byte[8192];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                String said = new String(chunk, 0, length, StandardCharsets.ISO_8859_1);
                out.write(said.replace("LISTEN", "LISSEN").getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // One of both has gone.
        }
    }
}
