package io.belay.cli.doctor;

import static io.belay.cli.doctor.FaultsTest.unfit;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The doctor on a cluster, and on a master that sentinels watch: well at first, then with one fault after the other. */
@Tag("long")
class ReplicatedRedisTest {
    private static final String PATIENT = "10000";
    private static final String COVERAGE = "cluster-require-full-coverage";

    private static void all(List<RedisServer> servers, String... command) throws IOException {
        for (RedisServer server : servers) {
            server.command(command);
        }
    }

    /** Makes on each what a single server can suffer from, one after the other, and mends it. */
    private static void faultsOfServers(List<RedisServer> servers, String url) throws Exception {
        all(servers, "ACL", "SETUSER", "app", "reset", "on", ">geheim", "~*", "&*", "+@all", "-publish", "-spublish");
        unfit(
                url.replace("//:", "//app:"),
                "DANGER lock No lock could be taken: ",
                "denies its user a right that locks need: grant it by ACL SETUSER NAME",
                "publish");

        all(servers, "CONFIG", "SET", "maxmemory-policy", "noeviction");
        all(servers, "CONFIG", "SET", "maxmemory", "1mb");
        unfit(url, "DANGER lock No lock could be taken: ", "has no memory left: raise its maxmemory");
        all(servers, "CONFIG", "SET", "maxmemory", "0");

        all(servers, "CONFIG", "SET", "min-replicas-to-write", "2");
        unfit(url, "DANGER lock No lock could be taken: ", "fewer replicas than its min-replicas-to-write");
        all(servers, "CONFIG", "SET", "min-replicas-to-write", "1");
    }

    @Test
    void cluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(Version.V7_0)) {
            List<RedisServer> nodes = cluster.nodes();
            all(nodes, "CONFIG", "SET", "cluster-node-timeout", PATIENT);
            all(nodes, "CONFIG", "SET", "masterauth", "geheim");
            all(nodes, "CONFIG", "SET", "requirepass", "geheim");
            all(nodes, "CONFIG", "SET", "appendonly", "yes");
            all(nodes, "CONFIG", "SET", "appendfsync", "always");
            all(nodes, "CONFIG", "SET", "min-replicas-to-write", "1");
            all(nodes, "CONFIG", "SET", COVERAGE, "no");
            String url = "redis-cluster://:geheim@127.0.0.1:" + nodes.get(0).port() + ",127.0.0.1:"
                    + nodes.get(1).port() + "?replicas=1";
            // A replica is told of once its master has sent it something, which is a ping after ten seconds.
            for (RedisServer node : nodes) {
                awaitCluster(nodes.get(0), "SLOTS", told -> told.contains("" + node.port()));
            }
            FitTest.fit(url);
            faultsOfServers(nodes, url);

            all(nodes, "CONFIG", "SET", "cluster-node-timeout", "1000");
            RedisServer master = nodes.get(2);
            RedisServer replica = nodes.get(5);
            replica.kill();
            for (RedisServer other : nodes.subList(0, 3)) {
                awaitCluster(other, "SLOTS", told -> !told.contains("" + replica.port()));
            }
            unfit(
                    url,
                    "WARNING fail-over 127.0.0.1:" + master.port() + " has no replica",
                    "Give each master a replica");
            all(cluster.alive(), "CONFIG", "SET", COVERAGE, "yes");
            unfit(
                    url,
                    "DANGER fail-over 127.0.0.1:",
                    " refuse everything while any slot has no master",
                    "Set " + COVERAGE);
            master.kill();
            for (RedisServer other : nodes.subList(0, 2)) {
                awaitCluster(other, "INFO", told -> told.contains("cluster_state:fail"));
            }
            unfit(url, "DANGER lock No lock could be taken: ", "DANGER slots ", "bring missing masters back");
        }
    }

    private static void awaitCluster(RedisServer node, String what, Predicate<String> right) {
        await().atMost(Pace.patience()).until(() -> right.test(node.command("CLUSTER", what)));
    }

    @Test
    void masterWithSentinels() throws Exception {
        RedisServer master = FaultsTest.durable("--masterauth", "geheim");
        RedisServer replica =
                FaultsTest.durable("--masterauth", "geheim", "--replicaof", "127.0.0.1", "" + master.port());
        List<RedisServer> servers = List.of(master, replica);
        try (RedisSentinels watch =
                RedisSentinels.watch(servers, "sentinel auth-pass " + RedisSentinels.NAME + " geheim")) {
            all(watch.sentinels(), "SENTINEL", "SET", RedisSentinels.NAME, "down-after-milliseconds", PATIENT);
            all(servers, "CONFIG", "SET", "min-replicas-to-write", "1");
            String url =
                    "redis-sentinel://:geheim@" + watch.addresses() + "?master=" + RedisSentinels.NAME + "&replicas=1";
            FitTest.fit(url);
            faultsOfServers(servers, url);

            watch.sentinels().get(2).kill();
            unfit(
                    url,
                    "WARNING sentinels The sentinel at 127.0.0.1:",
                    " does not name the master",
                    "See whether it runs");
            replica.kill();
            unfit(
                    url,
                    "DANGER lock No lock could be taken: ",
                    "fewer replicas than its min-replicas-to-write",
                    "WARNING replicas The URL asks for 1 replicas and 0 follow",
                    "Add replicas");
        }
    }
}
