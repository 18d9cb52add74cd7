package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** Kills a client (SIGKILL) and starts it again. */
final class KillClient implements Strike {
    @Override
    public boolean fits(Site site) {
        return true;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        int victim = scene.clients.victim(random);
        if (victim >= 0) {
            scene.clients.restart(victim);
        }
    }
}
