package io.belay.redis;

import static org.awaitility.Awaitility.await;

import io.belay.servers.CommandProxy;
import io.belay.servers.ProviderManner;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.util.Set;

/** A real server behind a proxy that enforces a provider's rules. */
final class ProviderSpec implements StoreSpec {
    private final RedisServer redis;
    private final CommandProxy proxy;
    private final boolean oneNode;

    ProviderSpec(Set<String> rules) throws IOException, InterruptedException {
        oneNode = rules.contains("one-node");
        redis = oneNode
                ? RedisServer.start(RedisServer.Version.V7_0, "--cluster-enabled", "yes")
                : RedisServer.start(RedisServer.Version.V7_0);
        if (oneNode) {
            redis.command("CLUSTER", "ADDSLOTSRANGE", "0", Integer.toString(RedisCluster.SLOTS - 1));
            await().until(() -> redis.command("CLUSTER", "INFO").contains("cluster_state:ok"));
        }
        ProviderManner manner = new ProviderManner(rules);
        proxy = CommandProxy.to(redis, manner);
        manner.at(proxy.port());
    }

    @Override
    public String url() {
        return oneNode ? "redis-cluster://127.0.0.1:" + proxy.port() : proxy.url();
    }

    RedisServer redis() {
        return redis;
    }

    @Override
    public boolean damage(String resource) throws IOException {
        redis.command("SET", "belay:" + resource, "rubbish");
        return true;
    }

    /** Where a script cannot publish, and on a cluster, a client that waits asks once more. */
    @Override
    public boolean actsUnasked() {
        return oneNode;
    }

    @Override
    public void close() {
        proxy.close();
        redis.close();
    }
}
