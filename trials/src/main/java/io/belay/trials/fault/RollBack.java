package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.Random;

/** Kills a server, and starts it again within half a lease, with what its disk had up to two and a half leases ago. */
final class RollBack implements Strike {
    private static final String NAME = "roll-back";
    private static final double LEAST_LEASES = 0.3;
    private static final double MORE_LEASES = 2.2;
    private static final double DOWN_LEASES = 0.5;

    @Override
    public Target target() {
        return Target.DISK;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        RedisServer server = scene.site.redis().get(0);
        double age = LEAST_LEASES + MORE_LEASES * random.nextDouble();
        double down = DOWN_LEASES * random.nextDouble();
        if (!server.isAlive() || scene.isStruck(server)) {
            return;
        }
        server.takeSnapshot();
        scene.after(age, () -> {
            scene.strike(server, NAME);
            server.kill();
            scene.after(down, () -> {
                server.restartFromSnapshot();
                scene.calm(server, NAME);
            });
        });
    }
}
