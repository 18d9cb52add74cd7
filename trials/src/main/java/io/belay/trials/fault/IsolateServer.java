package io.belay.trials.fault;

import java.util.Random;

/**
 * Cuts a member, mostly the leader, off from the others for up to three leases, while its clients still reach it:
 * nothing gets through to the others and nothing comes from them, or one of these. Nobody is told, and what was
 * said arrives late.
 */
final class IsolateServer implements Strike {
    private static final String NAME = "isolate-";
    private static final double LEAST_LEASES = 0.3;
    private static final double MORE_LEASES = 2.7;

    /** The number of ways to draw from: in two of the four the member neither hears nor says anything. */
    private static final int WAYS = 4;

    private static final int DEAF = 2;
    private static final int MUTE = 3;

    @Override
    public Target target() {
        return Target.PEERS;
    }

    @Override
    public void at(Scene scene, Random random) {
        int way = random.nextInt(WAYS);
        double leases = LEAST_LEASES + MORE_LEASES * random.nextDouble();
        scene.site.victim(random, scene::isStruck).ifPresent(victim -> {
            String what = NAME + victim.role() + (way == DEAF ? "-hears-nothing" : way == MUTE ? "-says-nothing" : "");
            scene.strike(victim.server(), what);
            scene.site.cutOff(victim.server(), way != DEAF, way != MUTE);
            scene.after(leases, () -> {
                scene.site.heal(victim.server());
                scene.calm(victim.server(), what);
            });
        });
    }
}
