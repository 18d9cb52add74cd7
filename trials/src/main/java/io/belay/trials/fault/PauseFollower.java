package io.belay.trials.fault;

import io.belay.servers.Restartable;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/**
 * Stops a member that is not the leader (SIGSTOP) for one and a half to two and a half leases. Then it goes on with
 * all that clients had asked of it before they turned to another member: late copies of what was done long ago.
 */
final class PauseFollower implements Strike {
    private static final String NAME = "pause-follower";
    private static final double LEAST_LEASES = 1.5;

    @Override
    public Target target() {
        return Target.PEERS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        double leases = LEAST_LEASES + random.nextDouble();
        Optional<Restartable> follower = scene.site.follower(random, scene::isStruck);
        if (follower.isPresent() && follower.get().isAlive()) {
            Restartable server = follower.get();
            scene.strike(server, NAME);
            server.stop();
            scene.after(leases, () -> {
                server.resume();
                scene.calm(server, NAME);
            });
        }
    }
}
