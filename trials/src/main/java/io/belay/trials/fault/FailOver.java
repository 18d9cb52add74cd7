package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * Cuts a replica, or all, off from the master, and kills that some time later. The one that takes its place has missed
 * what was granted since. The old master is started again once that has happened.
 */
final class FailOver implements Strike {
    private static final String NAME = "kill-master";
    private static final double LEAST_LEASES = 0.1;
    private static final double MORE_LEASES = 0.6;
    private static final double DOWN_LEASES = 0.7;
    /** The setting by which the sentinels take a replica last: they take the lower, whatever it has missed. */
    private static final String[] LAST = {"CONFIG", "SET", "replica-priority", "100"};

    private static final String[] FIRST = {"CONFIG", "SET", "replica-priority", "1"};

    @Override
    public Target target() {
        return Target.MASTER;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        boolean all = random.nextBoolean();
        double behind = LEAST_LEASES + MORE_LEASES * random.nextDouble();
        List<RedisServer> masters = scene.site.redis();
        List<RedisServer> replicas = scene.site.replicas();
        if (masters.isEmpty() || replicas.isEmpty() || scene.isStruck(NAME)) {
            return;
        }
        RedisServer master = masters.get(0);
        List<RedisServer> cutOff = all ? replicas : replicas.subList(0, 1);
        scene.strike(NAME, cutOff.size() + "-of-" + replicas.size() + "-replicas-cut-off");
        for (RedisServer replica : cutOff) {
            replica.command(FIRST);
            replica.detach();
        }
        scene.after(behind, () -> {
            scene.journal.strike(NAME);
            master.kill();
        });
        scene.after(behind + DOWN_LEASES, () -> {
            // One that comes back empty before its place was taken is an empty master, which no replica can make good.
            RedisServer promoted = scene.site.awaitFailover(master);
            master.restart();
            for (RedisServer replica : replicas) {
                replica.command(LAST);
            }
            scene.calm(NAME, NAME + "-replaced" + (cutOff.contains(promoted) ? Fault.BEHIND : ""));
        });
    }
}
