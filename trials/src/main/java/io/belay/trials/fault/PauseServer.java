package io.belay.trials.fault;

import io.belay.servers.Restartable;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/** Stops a server (SIGSTOP) for up to two leases. */
final class PauseServer implements Strike {
    @Override
    public Target target() {
        return Target.SERVERS;
    }

    @Override
    public boolean stopsServers() {
        return true;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        Optional<Site.Victim> victim = scene.site.victim(random, scene::isStruck);
        double leases = 2 * random.nextDouble();
        if (victim.isPresent() && victim.get().server().isAlive()) {
            Restartable server = victim.get().server();
            String what = "pause-" + victim.get().role();
            scene.strike(server, what);
            server.stop();
            scene.after(leases, () -> {
                server.resume();
                scene.calm(server, what);
            });
        }
    }
}
