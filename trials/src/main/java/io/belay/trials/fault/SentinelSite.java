package io.belay.trials.fault;

import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A master, two replicas and three sentinels; what a lock rests on is asked to be on one replica. */
final class SentinelSite implements Site {
    private static final int REPLICAS = 2;

    private final RedisSentinels sentinels;

    SentinelSite() throws IOException, InterruptedException {
        sentinels = RedisSentinels.start(RedisServer.Version.V7_0, REPLICAS);
    }

    @Override
    public String url(int client) {
        return "redis-sentinel://" + sentinels.addresses() + "?master=" + RedisSentinels.NAME + "&replicas=1";
    }

    @Override
    public List<RedisServer> servers() {
        return redis();
    }

    /** The master alone, as the sentinels see it now. */
    @Override
    public List<RedisServer> redis() {
        try {
            return List.of(sentinels.master());
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The replicas that are in step with their master. */
    @Override
    public List<RedisServer> replicas() throws IOException {
        List<RedisServer> replicas = new ArrayList<>();
        for (RedisServer server : sentinels.servers()) {
            List<String> role =
                    server.isAlive() ? server.command("ROLE").lines().toList() : List.of();
            if (role.contains("slave") && role.contains("connected")) {
                replicas.add(server);
            }
        }
        return replicas;
    }

    @Override
    public boolean failOver(int watcher) throws IOException {
        List<RedisServer> all = sentinels.sentinels();
        try {
            all.get(Math.floorMod(watcher, all.size())).command("SENTINEL", "FAILOVER", RedisSentinels.NAME);
            return true;
        } catch (IllegalStateException e) {
            return false; // it is not done with the one before
        }
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of();
    }

    @Override
    public RedisServer awaitFailover(RedisServer former) throws IOException, InterruptedException {
        return sentinels.awaitFailover(former);
    }

    @Override
    public void close() {
        sentinels.close();
    }
}
