package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Finding;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        return "zookeeper://" + login + server.address() + rest + (rest.contains("?") ? "&" : "?") + "timeout=1m";
    }

    /** Of a client that waits for an answer for as long as a busy machine may take. */
    private static Belay connect(String login, String rest) {
        return Belay.connect(url(login, rest), BelayOptions.defaults().withRequestTimeout(Duration.ofMinutes(1)));
    }

    @Test
    void whatAUserMakesIsThatUsersAlone() throws Exception {
        try (Belay owner = connect("shop:s3cret@", "/mine");
                Belay same = connect("shop:s3cret@", "/mine");
                Belay other = connect("other:gu3ss@", "/mine");
                Belay nobody = connect("", "/mine")) {
            owner.lock("x").acquire().close();
            same.lock("x").acquire().close();
            for (Belay stranger : new Belay[] {other, nobody}) {
                assertThatThrownBy(() -> stranger.lock("x").acquire())
                        .isInstanceOf(StoreMisconfiguredException.class)
                        .hasMessageContaining("/mine/belay/x")
                        .hasMessageContaining("grant it create")
                        .hasMessageNotContaining("s3cret")
                        .hasMessageNotContaining("gu3ss");
            }
        }
    }

    /** Where the directory is there already, nothing above it is needed, and no more in it than the page on the store says. */
    @Test
    void createReadAndDeleteAreEnough() throws Exception {
        Settings admin = new ZooKeeperUrl(url("admin:4dmin@", "/least")).parse();
        try (Connection connection = Connection.open(admin, () -> {})) {
            make(connection, "/least", admin.acl());
            make(connection, "/least/belay", shop());
        }
        try (Belay one = connect("shop:s3cret@", "/least");
                Belay two = connect("shop:s3cret@", "/least")) {
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(one.admin().forceRelease("x")).isTrue();
            one.semaphore("s", 2).resize(3);
            two.semaphore("s", 3).permits(3).acquire().close();
            one.countDownLatch("l").trySetCount(1);
            two.countDownLatch("l").countDown();
            assertThat(two.admin().names("s")).containsExactly("s");
        }
    }

    /** ZooKeeper refuses to make a node, for want of a right above it, before it looks whether it is there. */
    @Test
    void whoMayMakeTheDirectoryNeedsNothingAboveIt() throws Exception {
        Settings admin = new ZooKeeperUrl(url("admin:4dmin@", "/above/shop")).parse();
        try (Connection connection = Connection.open(admin, () -> {})) {
            make(connection, "/above", admin.acl());
            make(connection, "/above/shop", shop());
        }
        try (Belay belay = connect("shop:s3cret@", "/above/shop");
                Belay missing = connect("shop:s3cret@", "/above/missing")) {
            assertThat(belay.lock("x").acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThatThrownBy(() -> missing.lock("x").acquire())
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("in /above or at /above/missing: grant it create, read and delete there");
        }
    }

    /** Not even by the write that proves that the session lives, which names the first of them. */
    @Test
    void aClaimThatIsHiddenFailsNobodyElsesRenewal() throws Exception {
        Premise.withLease(Duration.ofSeconds(4), RightsTest::aHiddenClaimFailsNobody);
    }

    private static void aHiddenClaimFailsNobody(Duration session) throws Exception {
        String url = url("", "/hidden" + session.toSeconds() + "?session-timeout=" + session.toSeconds() + "s");
        Settings settings = new ZooKeeperUrl(url).parse();
        try (Store store = new ZooKeeperStoreProvider().open(url, 1, new Deaf())) {
            List<Request.Renew> renewals = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                ClaimId id = ClaimId.of(1, i);
                Owner owner = Owner.of("client", "host", 1, "thread");
                Request.Enter enter =
                        Request.Enter.of("x" + i, id, ClaimSpec.whole(4_000_000).withIfFree(true), 0, owner);
                long sequence = store.send(enter).toCompletableFuture().join().sequence();
                renewals.add(Request.Renew.of("x" + i, id, sequence, 4_000_000, 0, false));
            }
            long proved = renewed(store, renewals);
            ZooKeeperSpec.hide(settings, "x1");
            await().until(() -> renewed(store, renewals) > proved);
        }
    }

    /** Until when all but the first are held, which a proof that the session lives puts off. */
    private static long renewed(Store store, List<Request.Renew> renewals) throws Exception {
        long deadline = 0;
        for (CompletionStage<Answer> renewal : store.renew(renewals).subList(1, renewals.size())) {
            Answer answer = renewal.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
            Premise.check(answer.state() != Answer.State.GONE, "the session lives");
            assertThat(answer.state()).isEqualTo(Answer.State.GRANTED);
            deadline = answer.deadline();
        }
        return deadline;
    }

    private static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }

    /** What the page on the store says that a user needs. */
    private static List<ACL> shop() throws Exception {
        return List.of(new ACL(
                ZooDefs.Perms.CREATE | ZooDefs.Perms.READ | ZooDefs.Perms.DELETE,
                new Id("digest", DigestAuthenticationProvider.generateDigest("shop:s3cret"))));
    }

    /** Whatever printf and the shell make of what stands there unquoted. */
    @Test
    void thePagePrintsTheHashOfAnyPassword(@TempDir Path directory) throws Exception {
        String password = " 50%off\\t$HOME 'isn't \"it\"";
        String line = Files.readAllLines(Path.of("..", "docs", "zookeeper.md")).stream()
                .map(String::strip)
                .filter(command -> command.contains("openssl dgst "))
                .findFirst()
                .orElseThrow();
        Path typed = Files.writeString(directory.resolve("typed"), password + "\n");
        CommandRun run = CommandRun.of(new ProcessBuilder("bash", "-c", line)
                .redirectInput(typed.toFile())
                .redirectErrorStream(true)
                .start());
        assertThat("shop:" + run.output()).isEqualTo(DigestAuthenticationProvider.generateDigest("shop:" + password));
    }

    private static void make(Connection connection, String path, List<ACL> acl) {
        connection
                .session()
                .create(path, new byte[0], acl, CreateMode.PERSISTENT)
                .join();
    }

    @Test
    void theDoctorSeesThatAServerIsAlone() {
        // On a busy machine it may take longer than the doctor waits.
        await().untilAsserted(() -> assertThat(BelayAdmin.examine("zookeeper://127.0.0.1:" + server.port()))
                .extracting(Finding::subject)
                .containsExactly("members"));
    }

    @Test
    void openNodesAreEverybodys() throws Exception {
        try (Belay user = connect("shop:s3cret@", "/open?acl=open");
                Belay nobody = connect("", "/open")) {
            user.lock("x").acquire().close();
            nobody.lock("x").acquire().close();
        }
    }

    @Test
    void aCreatorNeedsAName() {
        try (Belay belay = connect("", "/creator?acl=creator")) {
            assertThatThrownBy(() -> belay.lock("x").acquire())
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("acl=open");
        }
    }

    @Test
    void whoeverConnectsToNobodyIsToldAtOnce() throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            String address = "127.0.0.1:" + bound.getLocalPort();
            assertThatThrownBy(() -> Belay.connect("zookeeper://shop:s3cret@" + address))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("refused")
                    .hasMessageNotContaining("s3cret");
        }
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
        try (Belay belay = connect("", "/rubbish")) {
            belay.lock("x").acquire().close();
            Settings settings = new ZooKeeperUrl(url("", "/rubbish")).parse();
            try (Connection connection = Connection.open(settings, () -> {})) {
                connection
                        .session()
                        .create(
                                "/rubbish/belay/x/1_1_1_1_",
                                new byte[] {1},
                                settings.acl(),
                                CreateMode.EPHEMERAL_SEQUENTIAL)
                        .join();
                assertThatThrownBy(() -> belay.admin().inspect("x"))
                        .isInstanceOf(StoreMisconfiguredException.class)
                        .hasMessageContaining("/rubbish/belay/x/1_1_1_1_")
                        .hasMessageContaining("not written by Belay");
            }
            assertThat(belay.admin().inspect("x").claims()).isEmpty();
        }
    }
}
