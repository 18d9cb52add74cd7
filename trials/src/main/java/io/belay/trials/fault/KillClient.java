package io.belay.trials.fault;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Kills a client (SIGKILL), sometimes together with the one that waits for its lock, and starts them again. */
final class KillClient implements Strike {
    private static final int BOTH_IN = 3;

    @Override
    public Target target() {
        return Target.CLIENTS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        int victim = scene.clients.victim(random);
        boolean both = random.nextInt(BOTH_IN) == 0;
        int waiter = scene.clients.firstWaiter();
        if (victim >= 0) {
            scene.clients.restart(both && waiter >= 0 ? new TreeSet<>(List.of(victim, waiter)) : List.of(victim));
        }
    }
}
