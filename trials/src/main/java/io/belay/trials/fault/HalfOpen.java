package io.belay.trials.fault;

import io.belay.servers.TcpProxy;
import java.util.Random;

/**
 * Ends the servers' side of the connections of a client, of which that hears nothing; new ones work. It is over when the client
 * must work again, and others have their turn when it has been seen whether the next one was served in its time.
 */
final class HalfOpen implements Strike {
    private static final String NAME = "half-open";
    private static final double QUIET_LEASES = 1;

    @Override
    public Target target() {
        return Target.NETWORK;
    }

    @Override
    public void at(Scene scene, Random random) throws InterruptedException {
        int victim = scene.clients.victim(random);
        if (victim >= 0) {
            strike(scene, victim);
        }
    }

    void strike(Scene scene, int victim) {
        if (scene.isStruck(NAME)) {
            return;
        }
        // Done before it is written down: it is nothing where there was no connection.
        int ended =
                scene.site.network(victim).stream().mapToInt(TcpProxy::halfOpen).sum();
        if (ended > 0) {
            String what = NAME + "-of-" + scene.site.wayOf(victim);
            scene.strike(NAME, what);
            scene.after(scene.worksAgainLeases(), () -> scene.calm(NAME, what, QUIET_LEASES));
        }
    }
}
