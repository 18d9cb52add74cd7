package io.belay.servers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A slot of a {@link RedisCluster} on its way from one master to another. Until it is finished the source answers for
 * the keys that it still has, and sends those who want others to the target by ASK.
 */
public final class SlotMigration {
    private static final int AT_ONCE = 100;
    private static final String TIMEOUT_MILLIS = "5000";

    private final RedisCluster cluster;
    private final String slot;
    private final RedisServer source;
    private final RedisServer target;

    SlotMigration(RedisCluster cluster, int slot, RedisServer source, RedisServer target) throws IOException {
        this.cluster = cluster;
        this.slot = Integer.toString(slot);
        this.source = source;
        this.target = target;
        target.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", RedisCluster.id(source));
        source.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", RedisCluster.id(target));
    }

    /** Moves the keys that are there now. */
    public void moveKeys() throws IOException {
        List<String> keys = keys();
        while (!keys.isEmpty()) {
            List<String> command = new ArrayList<>(
                    List.of("MIGRATE", Ports.HOST, "" + target.port(), "", "0", TIMEOUT_MILLIS, "KEYS"));
            command.addAll(keys);
            source.command(command.toArray(String[]::new));
            keys = keys();
        }
    }

    /** Moves the keys that are left, gives the slot to the target, and waits until all nodes know. */
    public void finish() throws IOException, InterruptedException {
        moveKeys();
        String owner = RedisCluster.id(target);
        target.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
        source.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
        Waiting.until("every node knows the slot's new master", () -> {
            for (RedisServer node : cluster.alive()) {
                if (ClusterLine.of(node)
                        .noneMatch(line -> line.id().equals(owner) && line.has(Integer.parseInt(slot)))) {
                    return false;
                }
            }
            return true;
        });
    }

    private List<String> keys() throws IOException {
        return source.command("CLUSTER", "GETKEYSINSLOT", slot, "" + AT_ONCE)
                .lines()
                .toList();
    }
}
