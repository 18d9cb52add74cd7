package io.belay.trials.fault;

import java.util.Random;

/** Stops a client (SIGSTOP) for some leases or half of one, and lets it go on. */
final class PauseClient implements Strike {
    private static final double[] LEASES = {0.5, 1, 1.2, 1.5, 1.5, 2, 2, 5};

    @Override
    public Target target() {
        return Target.CLIENTS;
    }

    @Override
    public void at(Scene scene, Random random) throws InterruptedException {
        double leases = LEASES[random.nextInt(LEASES.length)];
        int victim = scene.clients.victim(random);
        if (victim >= 0) {
            Client client = scene.clients.get(victim);
            client.pause();
            scene.after(leases, client::resume);
        }
    }
}
