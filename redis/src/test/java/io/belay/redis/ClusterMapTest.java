package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.servers.CommandProxy;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client whose map of a cluster is old, or has holes. */
@Tag("topology")
@Tag("long")
class ClusterMapTest {
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
}
