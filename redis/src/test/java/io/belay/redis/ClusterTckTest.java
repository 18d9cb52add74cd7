package io.belay.redis;

import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.tck.Line;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On a cluster with channels by slot, which all tests share; each has a prefix of its own. */
@Tag("topology")
@ParameterizedClass
@EnumSource(names = "V7_0")
@Tag("client-elsewhere")
@Tag("costly-elsewhere")
class ClusterTckTest extends StoreTck {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RedisCluster cluster;

    @BeforeParameterizedClassInvocation
    static void start(RedisServer.Version version) throws IOException, InterruptedException {
        cluster = RedisCluster.start(version);
        cluster.setNodeTimeout(Duration.ofMinutes(1)); // no fail-over belongs to the suite
    }

    @AfterParameterizedClassInvocation
    static void end() {
        cluster.close();
    }

    private final RedisServer.Version version;

    ClusterTckTest(RedisServer.Version version) {
        this.version = version;
    }

    @Override
    protected StoreSpec open() throws IOException {
        String prefix = version.toString() + TESTS.incrementAndGet() + ":";
        String url = "redis-cluster" + cluster.nodes().get(0).url().substring("redis".length()) + "?prefix=" + prefix;
        ProxiedNodes line = new ProxiedNodes(url, cluster.nodes());
        return new StoreSpec() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public boolean damage(String resource) throws IOException {
                String key = prefix + resource;
                cluster.masterOf(cluster.slotOf(key)).command("SET", key, "rubbish");
                return true;
            }

            @Override
            public Optional<Line> line() {
                return Optional.of(line);
            }

            @Override
            public void close() {
                line.close();
            }

            /** With channels by shard it asks once more when it has begun to listen. */
            @Override
            public boolean actsUnasked() {
                return version == RedisServer.Version.V7_0;
            }
        };
    }
}
