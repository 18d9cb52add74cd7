package io.belay.trials.fault;

import io.belay.servers.Restartable;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/** Kills a server (SIGKILL) and starts it again after up to a lease. */
final class KillServer implements Strike {
    @Override
    public Target target() {
        return Target.SERVERS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        Optional<Site.Victim> victim = scene.site.victim(random, scene::isStruck);
        double leases = random.nextDouble();
        if (victim.isPresent() && victim.get().server().isAlive()) {
            Restartable server = victim.get().server();
            String what = "kill-" + victim.get().role();
            scene.strike(server, what);
            server.kill();
            scene.after(leases, () -> {
                server.startAgain();
                scene.calm(server, what);
            });
        }
    }
}
