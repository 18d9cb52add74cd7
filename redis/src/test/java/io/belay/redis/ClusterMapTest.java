package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.servers.CommandProxy;
import io.belay.servers.Pace;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client whose map of a cluster is old, or has holes. */
@Tag("topology")
@Tag("long")
class ClusterMapTest {
    private static final class Nobody implements Link.Listener {
        @Override
        public void pushed(Link link, byte[] message) {}

        @Override
        public void broken(Link link) {}
    }

    /** All that the URL names tell of it as those do that met another node where it was last. */
    @Test
    void aMasterWhoseAddressNobodyKnowsKeepsNobodyFromTheOthersLocks() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0)) {
            RedisServer first = cluster.nodes().get(0);
            RedisServer last = cluster.nodes().get(2);
            String slots = "return {{0, 5460, {'127.0.0.1', " + first.port() + "}}, {5461, 10922, {'', 0}},"
                    + " {10923, 16383, {'127.0.0.1', " + last.port() + "}}}";
            try (CommandProxy node = CommandProxy.to(
                    last, command -> command.is("CLUSTER") ? CommandProxy.Command.of("EVAL", slots, "0") : command)) {
                String url = "redis-cluster://127.0.0.1:" + node.port();
                String theirs = IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> "lock-" + i)
                        .filter(name -> ClusterSlots.of(("belay:" + name).getBytes(StandardCharsets.US_ASCII)) > 10_922)
                        .findFirst()
                        .orElseThrow();
                try (Belay belay = Belay.connect(url)) {
                    assertThat(belay.lock(theirs).acquire().isHeld()).isTrue();
                }
                assertThat(BelayAdmin.examine(url))
                        .anyMatch(finding -> finding.finding().startsWith("5462 of 16384 slots have no master"));
            }
        }
    }

    /** It tries things out in a slot that its master had, and is to be told of what passes, as its next try will do. */
    @ParameterizedTest
    @EnumSource
    void whoConnectsByAnOldMapIsNotToldThatItsUrlIsWrong(Version version) throws Exception {
        try (RedisCluster cluster = RedisCluster.start(version)) {
            Connector connector = Redis.at(ClusterTest.url(cluster)).connector();
            try {
                Address master = new Address("127.0.0.1", cluster.nodes().get(0).port());
                Connector old = connector.at(master, RedisCluster.SLOTS - 1); // which is the last master's
                CompletableFuture<Link> made = old.connect("belay:" + Wire.hex(1), new Nobody(), Pace.patience(), true);
                StoreException told = old.failures().of(catchThrowable(made::join), Duration.ofSeconds(2));
                assertThat(told.isTemporary()).isTrue();
                assertThat(told)
                        .hasMessage("Redis at " + master + " has just given a slot to another node of the cluster");
            } finally {
                connector.close();
            }
        }
    }
}
