package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("selftest")
@Tag("long")
class MySqlServerTest {
    private static MySqlServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        server = MySqlServer.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            assertThat(server.directory).doesNotExist();
        }
    }

    @Test
    void itIsWhatItsNameSays() throws Exception {
        assertThat(Sql.ask(server.url(), "SELECT version()")).startsWith("9.7.").doesNotContain("Maria");
        assertThat(server.log()).doesNotContain("port: 33060");
    }

    @Test
    void killedItKeepsWhatWasCommitted() throws Exception {
        Sql.run(server.url(), "CREATE TABLE kept (x int)", "INSERT INTO kept VALUES (1)");
        long pid = server.pid();
        try (Connection connection = DriverManager.getConnection(server.url())) {
            server.kill();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> Sql.ask(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        server.restart();
        assertThat(server.pid()).isNotEqualTo(pid);
        assertThat(Sql.ask(server.url(), "SELECT x FROM kept")).isEqualTo("1");
    }

    @Test
    void stoppedItIsSilentUntilItIsResumed() throws Exception {
        String brief = server.url() + "&socketTimeout=100";
        try (Connection silent = DriverManager.getConnection(brief);
                Connection connection = DriverManager.getConnection(server.url())) {
            server.stop();
            assertThatThrownBy(() -> Sql.ask(silent, "SELECT 1")).isInstanceOf(SQLException.class);
            server.resume();
            assertThat(Sql.ask(connection, "SELECT 'there'")).isEqualTo("there");
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
    void withTlsNobodyConnectsWithout() throws Exception {
        try (Certificates certificates = Certificates.create();
                MySqlServer guarded = MySqlServer.builder()
                        .withoutFsync()
                        .tls(certificates)
                        .options("--max-allowed-packet=1M")
                        .start()) {
            assertThat(Sql.ask(guarded.url(), "SELECT @@max_allowed_packet")).isEqualTo("1048576");
            assertThatThrownBy(() -> Sql.ask(guarded.url().replace("REQUIRED", "DISABLED"), "SELECT 1"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(
                            () -> Sql.ask(guarded.url().replaceFirst("&password=[^&]*", "&password=wrong"), "SELECT 1"))
                    .hasMessageContaining("Access denied");
        }
    }
}
