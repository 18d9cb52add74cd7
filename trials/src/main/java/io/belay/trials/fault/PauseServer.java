package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.util.Random;

/** Stops a server (SIGSTOP) for up to two leases. */
final class PauseServer implements Strike {
    @Override
    public Target target() {
        return Target.SERVERS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        RedisServer server =
                scene.site.servers().get(random.nextInt(scene.site.servers().size()));
        double leases = 2 * random.nextDouble();
        if (server.isAlive() && !scene.isStruck(server)) {
            scene.strike(server, "pause-server");
            server.stop();
            scene.after(leases, () -> {
                server.resume();
                scene.calm(server, "pause-server");
            });
        }
    }
}
