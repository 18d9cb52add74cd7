package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The node that says in which layout a store is: who makes it, and who is refused because of it. */
@Tag("consensus")
class LayoutTest {
    /** Of a client that waits for an answer for as long as a busy machine may take. */
    private static final BelayOptions PATIENT = BelayOptions.defaults().withRequestTimeout(Duration.ofMinutes(1));

    private static ZooKeeperServer server;
    private static ZooKeeper client;

    private String path;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        client = new ZooKeeper("127.0.0.1:" + server.port(), 30_000, event -> {});
    }

    @AfterAll
    static void end() throws Exception {
        client.close();
        server.close();
    }

    @BeforeEach
    void choosePath(TestInfo test) {
        path = "/" + test.getTestMethod().orElseThrow().getName();
    }

    private String url(String login) {
        return "zookeeper://" + login + "127.0.0.1:" + server.port() + path + "?timeout=1m";
    }

    private Belay connect(String login) {
        return Belay.connect(url(login), PATIENT);
    }

    private String marker() {
        return path + "/belay/.layout";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void make(String node, String data, List<ACL> acl) throws Exception {
        client.create(node, bytes(data), acl, CreateMode.PERSISTENT);
    }

    private void makeStore(String layout) throws Exception {
        make(path, "", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        make(path + "/belay", "", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        make(marker(), layout, ZooDefs.Ids.OPEN_ACL_UNSAFE);
    }

    private String says() throws Exception {
        return new String(client.getData(marker(), false, null), StandardCharsets.UTF_8);
    }

    /** All nodes of the store, with the transactions that last changed each or its children. */
    private List<String> state() throws Exception {
        List<String> state = new ArrayList<>();
        for (String node : ZKUtil.listSubTreeBFS(client, path)) {
            Stat stat = client.exists(node, false);
            state.add(node + " " + stat.getMzxid() + " " + stat.getPzxid());
        }
        return state;
    }

    private String refusal(String layout, String host) {
        return "ZooKeeper at " + host + " keeps locks in layout '" + layout + "' by its node " + marker()
                + ", and this version of Belay knows layout 1: run one version of Belay, or give these locks another"
                + " path";
    }

    private String refusal(String layout) {
        return refusal(layout, "127.0.0.1:" + server.port());
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageEndingWith(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void anotherLayoutIsRefusedAndStaysAsItIs() throws Exception {
        makeStore("2");
        make(path + "/belay/x", "", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        make(path + "/belay/x/of-another-layout", "anything", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        for (String layout : new String[] {"2", "10", "rubbish", ""}) {
            client.setData(marker(), bytes(layout), -1);
            List<String> before = state();
            assertRefused(refusal(layout), () -> connect(""));
            assertRefused(refusal(layout), () -> BelayAdmin.examine(url("")));
            assertThat(state()).isEqualTo(before);
        }
    }

    @Test
    void whoConnectsAtOnceMakesOne() throws Exception {
        List<CompletableFuture<Belay>> connecting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connecting.add(CompletableFuture.supplyAsync(() -> connect("")));
        }
        List<Belay> clients = connecting.stream().map(CompletableFuture::join).toList();
        try {
            List<CompletableFuture<Lease>> leases = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                leases.add(clients.get(i).lock("x" + i).acquireAsync());
            }
            for (CompletableFuture<Lease> lease : leases) {
                assertThat(lease.get(Pace.seconds(), TimeUnit.SECONDS).release())
                        .isEqualTo(ReleaseOutcome.RELEASED);
            }
        } finally {
            clients.forEach(Belay::close);
        }
        assertThat(says()).isEqualTo("1");
        assertThat(client.exists(marker(), false).getEphemeralOwner())
                .as("the session with which it would end")
                .isZero();
    }

    @Test
    void whoOnlyLooksMakesNone() throws Exception {
        BelayAdmin.examine(url(""));
        try (Belay belay = connect("")) {
            assertThat(belay.admin().inspect("x").claims()).isEmpty();
            assertThat(belay.admin().names("")).isEmpty();
            assertThat(belay.admin().forceRelease("x")).isFalse();
            assertThat(client.exists(path, false)).isNull();
            belay.semaphore("s", 2).resize(3);
            assertThat(says()).isEqualTo("1");
        }
    }

    /** Nor is it in the way of a lock of that name. */
    @Test
    void noLockIsCalledLikeTheMarker() throws Exception {
        try (Belay belay = connect("")) {
            for (String name : new String[] {".layout", "layout", "%2elayout"}) {
                belay.lock(name).acquire().close();
            }
        }
        assertThat(client.getChildren(path + "/belay", false))
                .containsExactlyInAnyOrder(".layout", "%2elayout", "layout", "%252elayout");
    }

    /** As an earlier Belay left it. */
    @Test
    void aStoreWithoutAMarkerIsInThisLayout() throws Exception {
        try (Belay one = connect("");
                Belay two = connect("")) {
            Lease held = one.lock("x").acquire();
            client.delete(marker(), -1);
            try (Belay later = connect("")) {
                assertThat(later.admin().inspect("x").claims()).hasSize(1);
                assertThat(Premise.answered(() -> later.lock("x").tryAcquire())).isEmpty();
                assertThat(says()).isEqualTo("1");
            }
            CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(waiting.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void whoeverDeletesAllTakesNoMoreThanTheLocks() throws Exception {
        try (Belay belay = connect("")) {
            belay.lock("x").acquire().close();
            ZKUtil.deleteRecursive(client, path);
            belay.lock("x").acquire().close();
            try (Belay next = connect("")) {
                next.lock("x").acquire().close();
                assertThat(says()).isEqualTo("1");
            }
        }
    }

    @Test
    void whoIsConnectedWhenTheLayoutChangesIsRefusedAsSoonAsItReconnects() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server)) {
            String host = "127.0.0.1:" + proxy.port();
            String url = "zookeeper://" + host + path + "?timeout=1m&session-timeout=3m";
            try (Belay belay = Belay.connect(url, PATIENT)) {
                belay.lock("x").acquire().close();
                // Nothing renews it while the store is refused.
                LockOptions lasting = LockOptions.defaults().withLease(Duration.ofMinutes(2));
                Lease held = belay.lock("held", lasting).acquire();
                client.setData(marker(), bytes("2"), -1);
                List<String> before = state();
                String why = refusal("2", host);
                proxy.cut();
                proxy.pass();
                await().untilAsserted(
                                () -> assertRefused(why, () -> belay.admin().inspect("x")));
                assertRefused(why, () -> belay.lock("x").acquire());
                assertRefused(why, () -> Premise.answered(() -> belay.lock("x").tryAcquire()));
                assertRefused(why, () -> belay.admin().inspect("x"));
                assertRefused(why, () -> belay.admin().names("").count());
                assertRefused(why, () -> belay.admin().forceRelease("x"));
                assertRefused(why, () -> belay.semaphore("s", 2).resize(3));
                assertThat(state()).isEqualTo(before);
                assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
                client.setData(marker(), bytes("1"), -1);
                belay.lock("x").acquire().close();
            }
        }
    }

    /** One whose locks a user keeps for itself is checked by others all the same; and who may read may inspect. */
    @Test
    void everybodyMayReadTheMarker() throws Exception {
        make(path, "", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        ACL shop = new ACL(
                ZooDefs.Perms.CREATE | ZooDefs.Perms.READ | ZooDefs.Perms.DELETE,
                new Id("digest", DigestAuthenticationProvider.generateDigest("shop:s3cret")));
        // Not List.of, which may not be asked for null.
        make(path + "/belay", "", Arrays.asList(shop, new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)));
        try (Belay reader = connect("")) {
            assertThat(reader.admin().inspect("x").claims()).isEmpty();
            try (Belay owner = connect("shop:s3cret@")) {
                owner.lock("x").acquire().close();
            }
            assertThat(reader.admin().inspect("y").claims()).isEmpty();
            assertThat(reader.admin().names("")).containsExactly("x");
        }
        assertThat(says()).isEqualTo("1");
        List<ACL> acl = client.getACL(marker(), new Stat());
        assertThat(acl).contains(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        assertThat(acl)
                .filteredOn(entry -> entry.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE))
                .extracting(ACL::getPerms)
                .containsOnly(ZooDefs.Perms.READ);
    }
}
