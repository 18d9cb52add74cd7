package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.node.Details;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The key that says in which layout a store is: who makes it, and who is refused because of it. */
@Tag("consensus")
class LayoutTest {
    private static EtcdServer server;
    private static Client client;

    private String prefix;
    private String url;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        server = EtcdServer.start();
        client = Client.builder().endpoints("http://127.0.0.1:" + server.port()).build();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            client.close();
            server.close();
        }
    }

    @BeforeEach
    void choosePrefix(TestInfo test) {
        prefix = test.getTestMethod().orElseThrow().getName() + "/";
        url = "etcd://127.0.0.1:" + server.port() + "?timeout=1m&prefix=" + prefix;
    }

    /** Of a client that waits for an answer for as long as a busy machine may take. */
    private Belay connect() {
        return Belay.connect(url, BelayOptions.defaults().withRequestTimeout(Duration.ofMinutes(1)));
    }

    private static ByteSequence bytes(String text) {
        return Users.bytes(text);
    }

    private void write(String key, String value) {
        client.getKVClient().put(bytes(prefix + key), bytes(value)).join();
    }

    private List<KeyValue> markers() {
        return client.getKVClient().get(bytes(prefix + "layout")).join().getKvs();
    }

    /** It counts whatever is written, by whomever. */
    private static long revision() {
        GetResponse any = client.getKVClient().get(bytes("any")).join();
        return any.getHeader().getRevision();
    }

    private String refusal(String layout) {
        return "etcd at 127.0.0.1:" + server.port() + " keeps locks in layout '" + layout + "' by its key " + prefix
                + "layout, and this version of Belay knows layout 1: run one version of Belay, or give these locks"
                + " another prefix";
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(StoreMisconfiguredException.class);
        assertThat(Told.checked(thrown)).endsWith(message);
    }

    @Test
    void anotherLayoutIsRefusedAndStaysAsItIs() {
        for (String layout : new String[] {"2", "10", "rubbish", ""}) {
            write("layout", layout);
            write("claims/x/of-another-layout", "anything");
            long before = revision();
            assertThat(Told.unusable(url)).isEqualTo(refusal(layout));
            assertRefused(refusal(layout), () -> BelayAdmin.examine(url));
            assertThat(revision()).isEqualTo(before);
        }
    }

    @Test
    void whoConnectsAtOnceMakesOne() throws Exception {
        List<CompletableFuture<Belay>> connecting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connecting.add(CompletableFuture.supplyAsync(this::connect));
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
        assertThat(markers()).singleElement().satisfies(marker -> {
            assertThat(marker.getValue()).isEqualTo(bytes("1"));
            assertThat(marker.getVersion()).as("how often it was written").isEqualTo(1);
            assertThat(marker.getLease())
                    .as("the lease with which it would end")
                    .isZero();
        });
    }

    @Test
    void whoOnlyLooksMakesNone() {
        long before = revision();
        BelayAdmin.examine(url);
        try (Belay belay = connect()) {
            assertThat(belay.admin().inspect("x").claims()).isEmpty();
            assertThat(belay.admin().names("")).isEmpty();
            assertThat(belay.admin().forceRelease("x")).isFalse();
            assertThat(revision()).isEqualTo(before);
            belay.semaphore("s", 2).resize(3);
            assertThat(markers()).hasSize(1);
        }
    }

    /** As an earlier Belay left it. */
    @Test
    void aStoreWithoutAMarkerIsInThisLayout() throws Exception {
        try (Belay one = connect();
                Belay two = connect()) {
            Lease held = one.lock("x").acquire();
            client.getKVClient().delete(bytes(prefix + "layout")).join();
            try (Belay later = connect()) {
                assertThat(later.admin().inspect("x").claims()).hasSize(1);
                assertThat(Premise.answered(() -> later.lock("x").tryAcquire())).isEmpty();
                assertThat(markers()).hasSize(1);
            }
            CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(waiting.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void whoeverDeletesAllTakesNoMoreThanTheLocks() throws Exception {
        try (Belay belay = connect()) {
            belay.lock("x").acquire().close();
            for (int i = 0; i < 3; i++) {
                client.getKVClient()
                        .delete(
                                bytes(prefix),
                                DeleteOption.builder().isPrefix(true).build())
                        .join();
                belay.lock("x").acquire().close();
                assertThat(markers()).hasSize(1);
            }
        }
    }

    @Test
    void whoIsConnectedWhenTheLayoutChangesIsRefused() throws Exception {
        try (Belay belay = connect()) {
            // Nothing renews it while the store is refused.
            LockOptions lasting = LockOptions.defaults().withLease(Duration.ofMinutes(10));
            Lease held = belay.lock("held", lasting).acquire();
            belay.lock("x").acquire().close();
            write("layout", "2");
            long before = revision();
            String why = refusal("2");
            assertRefused(why, () -> belay.lock("x").acquire());
            assertRefused(why, () -> Premise.answered(() -> belay.lock("x").tryAcquire()));
            assertRefused(why, () -> belay.admin().inspect("x"));
            assertRefused(why, () -> belay.admin().names("").count());
            assertRefused(why, () -> belay.admin().forceRelease("x"));
            assertRefused(why, () -> belay.semaphore("s", 2).resize(3));
            assertRefused(why, () -> belay.semaphore("s", 2).acquire());
            List<KeyValue> left = client.getKVClient()
                    .get(bytes(prefix), GetOption.builder().isPrefix(true).build())
                    .join()
                    .getKvs();
            assertThat(revision()).isEqualTo(before);
            assertThat(left).hasSize(2);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            write("layout", "1");
            belay.lock("x").acquire().close();
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private EtcdNodes nodes() {
        Connection connection = EtcdStoreProvider.connect(EtcdUrl.parse(url), true);
        Keys keys = new Keys(prefix);
        return new EtcdNodes(connection, keys, LayoutKey.check(connection, keys), 1);
    }

    /** As it is by whoever gives permits back that another process took. */
    @Test
    void aClaimThatEnteredElsewhereIsLeftAtAnotherLayout() throws Exception {
        ClaimId id = ClaimId.of(1, 1);
        Details details = new Details(
                Resource.WHOLE, 0, false, false, 600_000_000, 0, 0, 0, Owner.of("client", "host", 1, "thread"));
        try (EtcdNodes one = nodes();
                EtcdNodes other = nodes()) {
            assertThat(get(one.enter("x", id, Resource.WHOLE, details))).isPresent();
            write("layout", "2");
            assertThat(other.list("x", true).toCompletableFuture()).failsWithin(Pace.patience());
            assertThat(get(other.leave("x", id, null, true))).isTrue();
            write("layout", "1");
            assertThat(get(other.list("x", true)).nodes()).isEmpty();
        }
    }

    /** Else a leave would write no tombstone though the layout is this one again. */
    @Test
    void anAnswerThatWasOvertakenSaysNothingOfTheLayout() {
        try (Connection connection = EtcdStoreProvider.connect(EtcdUrl.parse(url), true)) {
            LayoutKey layout = LayoutKey.check(connection, new Keys(prefix));
            write("layout", "2");
            GetResponse before =
                    client.getKVClient().get(bytes(prefix + "layout")).join();
            write("layout", "1");
            layout.refuseOthers(
                    client.getKVClient().get(bytes(prefix + "layout")).join());
            assertThat(catchThrowable(() -> layout.refuseOthers(before))).isInstanceOf(StoreException.class);
            assertThat(layout.isRefused()).isFalse();
        }
    }
}
