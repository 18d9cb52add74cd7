package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
class MariaDbServerTest {
    private static MariaDbServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        server = MariaDbServer.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            assertThat(server.directory).doesNotExist();
        }
    }

    private enum Driver {
        MARIADB,
        MYSQL;

        String url(MariaDbServer server) {
            return this == MARIADB ? server.url() : server.mysqlUrl();
        }

        String url(MariaDbServer server, int port) {
            return this == MARIADB ? server.url(port) : server.mysqlUrl(port);
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedItKeepsWhatWasCommitted(Driver driver) throws Exception {
        String url = driver.url(server);
        Sql.run(url, "CREATE OR REPLACE TABLE kept (x int)", "INSERT INTO kept VALUES (1)");
        long pid = server.pid();
        try (Connection connection = DriverManager.getConnection(url)) {
            server.kill();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> Sql.ask(connection, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> Sql.ask(url, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        server.restart();
        assertThat(server.pid()).isNotEqualTo(pid);
        assertThat(Sql.ask(url, "SELECT x FROM kept")).isEqualTo("1");
        assertThat(Sql.ask(url, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("2");
    }

    @ParameterizedTest
    @EnumSource
    void stoppedItIsSilentUntilItIsResumed(Driver driver) throws Exception {
        try (Connection connection = DriverManager.getConnection(driver.url(server))) {
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

    @ParameterizedTest
    @EnumSource
    void itIsReachedThroughAProxyThatCutsConnections(Driver driver) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server);
                Connection connection = DriverManager.getConnection(driver.url(server, proxy.port()))) {
            assertThat(Sql.ask(connection, "SELECT 'there'")).isEqualTo("there");
            proxy.cut();
            assertThatThrownBy(() -> Sql.ask(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void withTlsNobodyConnectsWithout() throws Exception {
        try (Certificates certificates = Certificates.create();
                MariaDbServer guarded = MariaDbServer.builder()
                        .withoutFsync()
                        .tls(certificates)
                        .options("--max-allowed-packet=1M", "--sysdate-is-now")
                        .start()) {
            for (Driver driver : Driver.values()) {
                String url = driver.url(guarded);
                assertThat(Sql.ask(
                                url,
                                "SELECT variable_value FROM information_schema.session_status"
                                        + " WHERE variable_name = 'Ssl_version'"))
                        .startsWith("TLS");
                assertThatThrownBy(() -> Sql.ask(url.replaceFirst("&sslMode=[^&]*", "&sslMode=DISABLED"), "SELECT 1"))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> Sql.ask(url.replaceFirst("&password=[^&]*", "&password=wrong"), "SELECT 1"))
                        .hasMessageContaining("Access denied");
            }
            assertThat(Sql.ask(guarded.url(), "SELECT @@max_allowed_packet")).isEqualTo("1048576");
            assertThat(Sql.ask(guarded.url(), "SELECT SYSDATE(6) = NOW(6)")).isEqualTo("1");
            assertThatThrownBy(() -> Sql.ask(
                            guarded.url()
                                    .replace(
                                            certificates.caFile().toString(),
                                            certificates.strangerFile().toString()),
                            "SELECT 1"))
                    .isInstanceOf(SQLException.class);
        }
    }
}
