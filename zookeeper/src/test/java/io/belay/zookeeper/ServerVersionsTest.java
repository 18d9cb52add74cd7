package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayAdmin;
import io.belay.servers.Certificates;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("long")
class ServerVersionsTest {
    private static List<String> subjects(String url) {
        return BelayAdmin.examine(url).stream().map(Finding::subject).toList();
    }

    /** Versions that no server on this machine has. */
    @ParameterizedTest
    @CsvSource({"3.4.14, NOTE", "3.7.2, NOTE", "3.8.0, ''", "3.9.5, ''", "'', ''"})
    void aVersion(String version, String severities) {
        assertThat(ServerVersions.of(version))
                .extracting(finding -> finding.severity().name())
                .isEqualTo(severities.isEmpty() ? List.of() : List.of(severities));
    }

    @Test
    void aServerTellsItWhateverItsListOfWordsLeavesOut() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start(List.of("4lw.commands.whitelist=ruok"))) {
            assertThat(subjects(server.url())).containsExactly("members");
        }
    }

    /** Whatever it is: it lets anybody in, and says nothing. */
    @Test
    void aServerThatHangsUpIsNamed() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(1)) {
            assertThat(findings("zookeeper://127.0.0.1:" + proxy.port()))
                    .containsExactly(
                            "The version has not been looked at, as it was not told: 127.0.0.1:" + proxy.port() + ".");
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        assertThat(findings("zookeeper://127.0.0.1:1"))
                .containsExactly("127.0.0.1:1 does not answer: of an ensemble without a majority nobody gets a lock.");
    }

    @Test
    void aServerWhoseNameHasGoneIsNamed() {
        assertThat(findings("zookeeper://no-such-host.invalid:2181"))
                .containsExactly("no-such-host.invalid:2181 does not answer:"
                        + " of an ensemble without a majority nobody gets a lock.");
    }

    @Test
    void aServerWithoutAMajorityIsNamed() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> told = CompletableFuture.runAsync(
                    () -> tell(listener, "This ZooKeeper instance is not currently serving requests\n"));
            assertThat(findings("zookeeper://127.0.0.1:" + listener.getLocalPort()))
                    .containsExactly("127.0.0.1:" + listener.getLocalPort()
                            + " serves nobody now: of an ensemble without a majority nobody gets a lock.");
            told.join();
        }
    }

    private static void tell(ServerSocket listener, String answer) {
        try (Socket client = listener.accept()) {
            client.getInputStream().readNBytes("srvr\n".length());
            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> findings(String url) {
        return ServerVersions.findings(new ZooKeeperUrl(url).parse()).stream()
                .map(Finding::finding)
                .toList();
    }

    @Test
    void aServerTellsItByTlsToo() throws Exception {
        try (Certificates certificates = Certificates.create();
                ZooKeeperServer server = ZooKeeperServer.start(certificates)) {
            assertThat(subjects("zookeepers://127.0.0.1:" + server.securePort() + "?ca=" + certificates.caFile()))
                    .containsExactly("members");
        }
    }
}
