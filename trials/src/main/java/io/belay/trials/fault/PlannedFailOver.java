package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Asks a sentinel, another one each time, for a fail-over of a set in which nothing is wrong. */
final class PlannedFailOver implements Strike {
    private static final String NAME = "planned-fail-over";
    /** The leases from the demand until all sentinels are looked at: by then the new master has been named. */
    private static final double NAMED_LEASES = 0.5;

    @Override
    public Target target() {
        return Target.MASTER;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        int leader = random.nextInt();
        List<RedisServer> masters = scene.site.redis();
        if (masters.isEmpty() || scene.site.replicas().isEmpty() || scene.isStruck(NAME)) {
            return;
        }
        RedisServer master = masters.get(0);
        if (!scene.site.failOver(leader)) {
            return;
        }
        scene.strike(NAME, NAME);
        scene.after(NAMED_LEASES, () -> {
            scene.site.awaitFailover(master);
            scene.calm(NAME, NAME);
        });
    }
}
