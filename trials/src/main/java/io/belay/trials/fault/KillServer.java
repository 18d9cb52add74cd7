package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.Random;

/** Kills a server (SIGKILL) and starts it again after up to a lease. */
final class KillServer implements Strike {
    @Override
    public Target target() {
        return Target.SERVERS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        RedisServer server =
                scene.site.servers().get(random.nextInt(scene.site.servers().size()));
        double leases = random.nextDouble();
        if (server.isAlive() && !scene.isStruck(server)) {
            scene.strike(server, "kill-server");
            server.kill();
            scene.after(leases, () -> {
                server.restart();
                scene.calm(server, "kill-server");
            });
        }
    }
}
