package io.belay.trials.fault;

import java.io.IOException;
import java.util.Random;

/** Takes away all room for what is written: the store answers what reads, and refuses what writes. */
final class TakeRoom implements Strike {
    private static final String NAME = "full";
    private static final double[] LEASES = {0.2, 0.5, 1, 1.5, 2};

    @Override
    public Target target() {
        return Target.ROOM;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        double leases = LEASES[random.nextInt(LEASES.length)];
        if (scene.isStruck(NAME)) {
            return;
        }
        scene.strike(NAME, NAME);
        scene.site.have(random.nextBoolean() ? Site.Room.NONE : Site.Room.NOTHING_NEW);
        scene.after(leases, () -> {
            scene.site.have(Site.Room.PLENTY);
            scene.calm(NAME, NAME);
        });
    }
}
