package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Finding;
import io.belay.StoreUnavailableException;
import io.belay.UnusableStoreException;
import io.belay.servers.ZooKeeperServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may do what, and what those are told who may not. */
@Tag("consensus")
class RightsTest {
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String url(String login, String rest) {
        return "zookeeper://" + login + server.address() + rest;
    }

    @Test
    void whatAUserMakesIsThatUsersAlone() throws Exception {
        try (Belay owner = Belay.connect(url("shop:s3cret@", "/mine"));
                Belay same = Belay.connect(url("shop:s3cret@", "/mine"));
                Belay other = Belay.connect(url("other:gu3ss@", "/mine"));
                Belay nobody = Belay.connect(url("", "/mine"))) {
            owner.lock("x").acquire().close();
            same.lock("x").acquire().close();
            for (Belay stranger : new Belay[] {other, nobody}) {
                assertThatThrownBy(() -> stranger.lock("x").acquire())
                        .isInstanceOf(UnusableStoreException.class)
                        .hasMessageContaining("/mine/belay/x")
                        .hasMessageContaining("grant it create")
                        .hasMessageNotContaining("s3cret")
                        .hasMessageNotContaining("gu3ss");
            }
        }
    }

    @Test
    void theDoctorSeesThatAServerIsAlone() {
        assertThat(Belay.examine("zookeeper://127.0.0.1:" + server.port()))
                .extracting(Finding::subject)
                .containsExactly("members");
    }

    @Test
    void openNodesAreEverybodys() throws Exception {
        try (Belay user = Belay.connect(url("shop:s3cret@", "/open?acl=open"));
                Belay nobody = Belay.connect(url("", "/open"))) {
            user.lock("x").acquire().close();
            nobody.lock("x").acquire().close();
        }
    }

    @Test
    void aCreatorNeedsAName() {
        try (Belay belay = Belay.connect(url("", "/creator?acl=creator"))) {
            assertThatThrownBy(() -> belay.lock("x").acquire())
                    .isInstanceOf(UnusableStoreException.class)
                    .hasMessageContaining("acl=open");
        }
    }

    @Test
    void whoeverConnectsToNobodyIsToldAtOnce() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> Belay.connect("zookeeper://shop:s3cret@127.0.0.1:" + port))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("refused")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void whoeverConnectsToSomethingElseIsTold() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            String url = "zookeeper://127.0.0.1:" + socket.getLocalPort() + "?timeout=500ms";
            assertThatThrownBy(() -> Belay.connect(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("gives no session");
        }
    }

    @Test
    void whatSomebodyElseKeepsThereIsNamed() throws Exception {
        try (Belay belay = Belay.connect(url("", "/rubbish"))) {
            belay.lock("x").acquire().close();
            Settings settings = new ZooKeeperUrl(url("", "/rubbish")).parse();
            try (Connection connection = Connection.open(settings, () -> {})) {
                connection
                        .session()
                        .create(
                                "/rubbish/belay/x/1_1_1_1_",
                                new byte[] {1},
                                settings.acl(),
                                org.apache.zookeeper.CreateMode.EPHEMERAL_SEQUENTIAL)
                        .join();
                assertThatThrownBy(() -> belay.inspect("x"))
                        .isInstanceOf(UnusableStoreException.class)
                        .hasMessageContaining("/rubbish/belay/x/1_1_1_1_")
                        .hasMessageContaining("not written by Belay");
            }
            assertThat(belay.inspect("x").claims()).isEmpty();
        }
    }
}
