package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Kills the master, so that a replica takes its place, and starts it again once that has happened. */
final class FailOver implements Strike {
    private static final String NAME = "kill-master";
    private static final double LEASES = 2;

    @Override
    public Target target() {
        return Target.MASTER;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        List<RedisServer> masters = scene.site.servers();
        if (masters.isEmpty() || scene.isStruck(NAME) || !masters.get(0).isAlive()) {
            return;
        }
        RedisServer master = masters.get(0);
        scene.strike(NAME, NAME);
        master.kill();
        scene.after(LEASES, () -> {
            // One that comes back empty before its place was taken is an empty master, which no replica can make good.
            scene.site.awaitFailover(master);
            master.restart();
            scene.calm(NAME, NAME);
        });
    }
}
