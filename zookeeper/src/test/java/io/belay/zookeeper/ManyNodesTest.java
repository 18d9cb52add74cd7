package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.node.Details;
import io.belay.node.Position;
import io.belay.servers.Pace;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More nodes than a session may end with: servers write all their paths as one, and take nothing of that length when they read it. */
@Tag("consensus")
@Tag("long")
class ManyNodesTest {
    private static final int TOO_MANY = 5_000;

    /** As long as a name may be. */
    private static String name(int number) {
        return "x".repeat(508) + (1000 + number);
    }

    private static CompletionStage<Optional<Position>> enter(ZooKeeperNodes nodes, int number) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        Details details = new Details(Resource.WHOLE, 0, false, false, 1_000_000, 0, 0, 0, owner);
        return nodes.enter(name(number), ClaimId.of(1, number), Resource.WHOLE, details);
    }

    @Test
    void aServerOutlivesAClientWithAllNodesThatItCouldMake() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            Settings settings = new ZooKeeperUrl("zookeeper://" + server.address()).parse();
            int refused = 0;
            try (Connection connection = Connection.open(settings, () -> {})) { // which leaves nothing before it ends
                ZooKeeperNodes nodes = new ZooKeeperNodes(settings, connection, 1);
                List<CompletableFuture<Throwable>> failures = new ArrayList<>();
                for (int i = 0; i < TOO_MANY; i++) {
                    failures.add(enter(nodes, i)
                            .<Throwable>handle((entry, error) -> error)
                            .toCompletableFuture());
                }
                for (CompletableFuture<Throwable> failure : failures) {
                    Throwable error = failure.get(Pace.seconds(), TimeUnit.SECONDS);
                    if (error != null) {
                        refused++;
                        assertThat(Failures.unwrap(error))
                                .isInstanceOf(StoreException.class)
                                .hasMessageContaining("jute.maxbuffer");
                    }
                }
            }
            server.kill();
            server.restart();
            assertThat(refused).isBetween(1_000, 2_000);
            Belay.connect("zookeeper://" + server.address()).close();
        }
    }
}
