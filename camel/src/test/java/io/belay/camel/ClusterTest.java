package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** Two contexts of Camel, of which one leads at a time. */
class ClusterTest {
    private final String store = "memory:" + UUID.randomUUID();

    /** A context with a cluster of its own client. */
    private final class Node implements AutoCloseable {
        final Belay belay = Belay.connect(store);
        final DefaultCamelContext context = new DefaultCamelContext();
        final BelayClusterService service = new BelayClusterService(belay);
        final List<Boolean> leads = new CopyOnWriteArrayList<>();
        final CamelClusterView view;

        Node() throws Exception {
            context.addService(service);
            context.start();
            view = service.getView("orders");
            view.addEventListener(
                    (CamelClusterEventListener.Leadership) (changed, leader) -> leads.add(Optional.ofNullable(leader)
                            .filter(CamelClusterMember::isLocal)
                            .isPresent()));
            service.startView("orders");
        }

        @Override
        public void close() {
            context.stop();
            belay.close();
        }
    }

    @Test
    void oneLeadsAndTheOtherFollowsWhenItStops() throws Exception {
        try (Node first = new Node()) {
            await().until(() -> first.service.isLeader("orders"));
            try (Node second = new Node()) {
                await().until(() -> second.view.getLeader().isPresent());
                assertThat(second.service.isLeader("orders")).isFalse();
                assertThat(second.view.getLeader().orElseThrow().isLocal()).isFalse();
                assertThat(second.view.getMembers()).hasSize(2);
                assertThat(first.view.getMembers()).hasSize(1);
                first.close();
                await().until(() -> second.service.isLeader("orders"));
                await().until(() -> second.leads.contains(true));
            }
            assertThat(first.leads).contains(true).endsWith(false);
        }
    }

    @Test
    void aLeaderThatIsDeposedIsToldAndCampaignsAgain() throws Exception {
        try (Node only = new Node();
                Belay admin = Belay.connect(store)) {
            await().until(() -> only.service.isLeader("orders"));
            assertThat(admin.forceRelease("orders")).isTrue();
            await().until(() -> only.leads.contains(false));
            await().until(() -> only.service.isLeader("orders"));
        }
    }
}
