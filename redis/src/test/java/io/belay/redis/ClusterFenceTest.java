package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fence of keys in a cluster, on whichever of its servers they are. */
@Tag("topology")
class ClusterFenceTest {
    @Test
    void fencesAreWhereTheirKeysAre() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0)) {
            cluster.setNodeTimeout(Duration.ofMinutes(1)); // a replica that took over could lack a fence
            RedisClusterClient client =
                    RedisClusterClient.create(cluster.nodes().get(0).url());
            try {
                RedisAdvancedClusterCommands<String, String> redis =
                        client.connect().sync();
                for (String tag : List.of("a", "b", "c", "d", "e", "f")) {
                    String key = "{" + tag + "}:left";
                    RedisFence fence = RedisFence.of(redis, tag);
                    List<FencingToken> both = List.of(FencingToken.of("x", 5), FencingToken.of("y", 5));
                    RedisFence.Writer old = fence.raiseTo(both);
                    old.set(key, "1");
                    fence.raiseTo(List.of(FencingToken.of("y", 6)))
                            .run("return redis.call('INCR', KEYS[1])", ScriptOutputType.INTEGER, List.of(key));
                    assertThatThrownBy(() -> old.set(key, "1")).isInstanceOf(StaleTokenException.class);
                    assertThat(redis.get(key)).isEqualTo("2");
                }
                int keepers = 0;
                for (RedisServer node : cluster.nodes()) {
                    keepers += node.command("DBSIZE").equals("0") ? 0 : 1;
                }
                assertThat(keepers).as("servers that keep fences").isGreaterThan(1);
            } finally {
                client.shutdown();
            }
        }
    }
}
