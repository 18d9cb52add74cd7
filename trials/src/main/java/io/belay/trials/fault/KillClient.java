package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** Kills a client (SIGKILL) and starts it again. */
final class KillClient implements Strike {
    @Override
    public Target target() {
        return Target.CLIENTS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        int victim = scene.clients.victim(random);
        if (victim >= 0) {
            scene.clients.restart(victim);
        }
    }
}
