package io.belay.redis;

import io.belay.tck.CoordinationContract;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On a cluster with channels by slot, which all tests share; each has a prefix of its own. */
@ParameterizedClass
@EnumSource(names = "V7_0")
class ClusterCoordinationTest extends CoordinationContract {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RedisCluster cluster;

    @BeforeParameterizedClassInvocation
    static void start(RedisServer.Version version) throws IOException, InterruptedException {
        cluster = RedisCluster.start(version);
    }

    @AfterParameterizedClassInvocation
    static void end() {
        cluster.close();
    }

    private final String url;

    ClusterCoordinationTest(RedisServer.Version version) {
        url = "redis-cluster" + cluster.nodes().get(0).url().substring("redis".length()) + "?prefix=" + version
                + TESTS.incrementAndGet() + ":";
    }

    @Override
    protected String url() {
        return url;
    }
}
