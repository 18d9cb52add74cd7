package io.belay.trials.fault;

import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A Redis cluster of three masters, each with a replica, whose slots can be moved. */
final class ClusterSite implements Site {
    private static final int MASTERS = 3;

    private final RedisCluster cluster = RedisCluster.start(RedisServer.Version.V7_0);

    ClusterSite() throws IOException, InterruptedException {}

    @Override
    public String url(int client) {
        return "redis-cluster://127.0.0.1:" + masters().get(client % MASTERS).port();
    }

    private List<RedisServer> masters() {
        return cluster.nodes().subList(0, MASTERS);
    }

    @Override
    public List<RedisServer> servers() {
        return masters();
    }

    /** Begins a move of a slot that has a key; returns none where the master that is drawn has no key. */
    @Override
    public Optional<SlotMove> moveSlot(Random random) throws IOException {
        String key = masters().get(random.nextInt(MASTERS)).command("RANDOMKEY").strip();
        if (key.isEmpty()) {
            return Optional.empty();
        }
        int slot = cluster.slotOf(key);
        RedisServer owner = cluster.masterOf(slot);
        List<RedisServer> others =
                masters().stream().filter(server -> server != owner).toList();
        RedisServer target = others.get(random.nextInt(others.size()));
        return Optional.of(new SlotMove(cluster.migrate(slot, target), target));
    }

    @Override
    public void have(Room room) throws IOException {
        for (RedisServer master : masters()) {
            room.of(master);
        }
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
