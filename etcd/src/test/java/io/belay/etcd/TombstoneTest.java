package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.etcd.jetcd.Client;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keeps late enters away, at a real etcd that has lost the lease of it, as after a night of the client's machine. */
@Tag("consensus")
class TombstoneTest {
    private static final Details DETAILS =
            new Details(Resource.WHOLE, 0, false, false, 30_000_000, 0, 0, 0, Owner.of("client", "host", 1, "thread"));

    private final Keys keys = new Keys("belay/");

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static Node enter(EtcdNodes nodes, long number) throws Exception {
        return get(nodes.enter("x", ClaimId.of(1, number), Resource.WHOLE, DETAILS))
                .orElseThrow()
                .own();
    }

    /** Ends the lease of a claim's tombstone, which is there. */
    private void lose(Client client, ClaimId id) throws Exception {
        long lease =
                get(client.getKVClient().get(keys.ended(id))).getKvs().get(0).getLease();
        get(client.getLeaseClient().revoke(lease));
    }

    /** Its key would stay for as long as the client lives, and whoever leaves it would ask in vain for a minute. */
    @Test
    void aClaimIsLeftAndLetsOthersInAllTheSame() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = Client.builder()
                        .endpoints("http://127.0.0.1:" + etcd.port())
                        .build();
                EtcdNodes nodes = nodes("etcd://127.0.0.1:" + etcd.port() + "?timeout=60s")) {
            Node first = enter(nodes, 1);
            assertThat(get(nodes.leave("x", first.id(), first, true))).isTrue();
            lose(client, first.id());
            Node second = enter(nodes, 2);
            assertThat(get(nodes.leave("x", second.id(), second, true))).isTrue();
            assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
            lose(client, second.id());
            Node third = enter(nodes, 3);
            Node moved =
                    get(nodes.requeue("x", third, DETAILS, true)).orElseThrow().own();
            assertThat(get(nodes.list("x", true)).nodes())
                    .extracting(Node::key)
                    .containsExactly(moved.key())
                    .doesNotContain(third.key());
            lose(client, third.id());
        }
    }

    private EtcdNodes nodes(String url) {
        Connection connection = EtcdStoreProvider.connect(EtcdUrl.parse(url), true);
        return new EtcdNodes(connection, keys, LayoutKey.check(connection, keys), 1);
    }
}
