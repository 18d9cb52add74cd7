package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator is told of members of a quorum that began anew, or that are not to be used. */
class QuorumMembersTest {
    /** Its record says since when the run before it remembered. */
    @Test
    void theDoctorSeesThatOneWasRestartedWhichKeptItsMemory() throws Exception {
        try (QuorumServers servers = new QuorumServers(
                3,
                "longest-lease=60s",
                RedisServer.builder(RedisServer.Version.V7_0)
                        .options("--appendonly", "yes", "--appendfsync", "always"))) {
            assertThat(BelayAdmin.examine(servers.url()))
                    .noneMatch(finding -> finding.subject().contains("quarantine"));
            servers.server(1).restart();
            assertThat(BelayAdmin.examine(servers.url()))
                    .filteredOn(finding -> finding.subject().contains("quarantine"))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.subject() + ": " + finding.finding())
                            .startsWith("member 2 of 3 ")
                            .contains(
                                    "It was restarted, and no client has used it since: it gives no vote until 60 s"));
            await().untilAsserted(() -> {
                Belay.connect(servers.url()).close(); // which needs a majority only
                assertThat(BelayAdmin.examine(servers.url()))
                        .filteredOn(finding -> finding.subject().contains("quarantine"))
                        .singleElement()
                        .satisfies(
                                finding -> assertThat(finding.finding()).startsWith("It gives no vote for another "));
            });
        }
    }

    /** Else it is found out when another one is down, and no lock is had by anybody. */
    @Test
    void oneThatIsRefusedAfterItWasAwayIsNamedOnce() throws Exception {
        try (QuorumServers servers = new QuorumServers(3, "longest-lease=60s");
                TcpProxy proxy = TcpProxy.to(servers.server(2))) {
            proxy.cut();
            List<String> log = Told.logged(() -> {
                try (Belay belay =
                        Belay.connect(servers.url().replace(servers.server(2).url(), proxy.url()))) {
                    belay.lock("x").acquire().close();
                    proxy.leadTo(servers.server(1));
                    proxy.pass();
                    int before = proxy.accepted();
                    await().until(() -> proxy.accepted() > before + 2);
                }
            });
            assertThat(log)
                    .filteredOn(line -> line.contains("it is the same server as member 2 of 3"))
                    .singleElement()
                    .asString()
                    .contains("WARN", "member 3 of 3 ");
        }
    }
}
