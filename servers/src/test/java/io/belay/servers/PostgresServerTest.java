package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("selftest")
@Tag("long")
class PostgresServerTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        server = PostgresServer.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void killedItKeepsWhatWasCommitted() throws Exception {
        Sql.run(server.url(), "CREATE TABLE kept (x int)", "INSERT INTO kept VALUES (1)");
        long pid = server.pid();
        try (Connection connection = DriverManager.getConnection(server.url())) {
            List<ProcessHandle> backends =
                    ProcessHandle.of(pid).orElseThrow().descendants().toList();
            // Any but that of the connection that was closed just now, which may be on its way out.
            assertThat(backends).anyMatch(PostgresServerTest::runs);
            server.kill();
            assertThat(backends).noneMatch(PostgresServerTest::runs);
            assertThatThrownBy(() -> Sql.ask(connection, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> Sql.ask(server.url(), "SELECT 1")).hasMessageContaining("refused");
        }
        server.restart();
        assertThat(server.pid()).isNotEqualTo(pid);
        assertThat(Sql.ask(server.url(), "SELECT x FROM kept")).isEqualTo("1");
        assertThat(Sql.ask(server.url(), "SHOW fsync")).isEqualTo("off");
    }

    @Test
    void stoppedItIsSilentUntilItIsResumed() throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url())) {
            server.stop();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return Sql.ask(connection, "SELECT 'there'");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> answer.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            server.resume();
            assertThat(answer.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("there");
        }
    }

    @Test
    void itIsReachedThroughAProxyThatCutsConnections() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server);
                Connection connection = DriverManager.getConnection(server.url(proxy.port()))) {
            assertThat(Sql.ask(connection, "SELECT 'there'")).isEqualTo("there");
            proxy.cut();
            assertThatThrownBy(() -> Sql.ask(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void withPasswordAndTlsOnlyWhoHasBothConnects() throws Exception {
        try (Certificates certificates = Certificates.create();
                PostgresServer guarded = PostgresServer.builder()
                        .withPassword()
                        .tls(certificates)
                        .options("-c", "max_connections=20")
                        .start()) {
            String url = guarded.url();
            assertThat(Sql.ask(url, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                    .isEqualTo("t");
            assertThat(Sql.ask(url, "SHOW max_connections")).isEqualTo("20");
            assertThat(Sql.ask(url, "SHOW fsync")).isEqualTo("on");
            assertThatThrownBy(() -> Sql.ask(url.replaceFirst("&password=[^&]*", "&password=wrong"), "SELECT 1"))
                    .hasMessageContaining("password authentication failed");
            assertThatThrownBy(() -> Sql.ask(url.replace("verify-full", "disable"), "SELECT 1"))
                    .hasMessageContaining("no encryption");
            assertThatThrownBy(() -> Sql.ask(
                            url.replace(
                                    certificates.caFile().toString(),
                                    certificates.strangerFile().toString()),
                            "SELECT 1"))
                    .hasMessageContaining("SSL error");
        }
    }

    @Test
    void whatItDoesNotKnowItNames() {
        assertThatThrownBy(() -> PostgresServer.builder()
                        .options("-c", "no_such_option=1")
                        .start())
                .hasMessageContaining("no_such_option");
    }

    @Test
    void nothingIsLeftOfWhatAJvmForgets() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Forgetful.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said = jvm.inputReader().lines().toList();
        assertThat(jvm.waitFor(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(said).hasSizeGreaterThan(3);
        assertThat(Path.of(said.get(0))).doesNotExist();
        // The kernel removes it when the last process that has it is gone to the end.
        await().untilAsserted(() -> assertThat(segments(said.get(1))).isZero());
        for (String pid : said.subList(1, said.size())) {
            assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(PostgresServerTest::runs))
                    .isEmpty();
        }
    }

    /** A program that does not close its server, and says what that consists of. */
    static final class Forgetful {
        public static void main(String[] arguments) throws Exception {
            PostgresServer forgotten = PostgresServer.start();
            if (segments(Long.toString(forgotten.pid())) == 0) {
                throw new IllegalStateException("no shared memory is found, so it is looked for in the wrong place");
            }
            System.out.println(forgotten.directory);
            System.out.println(forgotten.pid());
            ProcessHandle.of(forgotten.pid())
                    .orElseThrow()
                    .descendants()
                    .forEach(child -> System.out.println(child.pid()));
        }
    }

    /** How much shared memory there is that this process has made. */
    private static long segments(String pid) throws Exception {
        try (var lines = Files.lines(Path.of("/proc/sysvipc/shm"))) {
            return lines.filter(line -> line.strip().split(" +")[4].equals(pid)).count();
        }
    }

    /** Where nobody asks how orphans ended, they stay known. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
