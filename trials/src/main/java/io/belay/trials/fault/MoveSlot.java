package io.belay.trials.fault;

import java.io.IOException;
import java.util.Optional;
import java.util.Random;

/**
 * Moves the slot of a lock from one master to another, which stands still for up to half a lease while the keys
 * are on their way: what is told to it by how long it is to last lasts longer there.
 */
final class MoveSlot implements Strike {
    private static final String NAME = "move-slot";
    private static final double LEAST_LEASES = 0.2;
    private static final double MORE_LEASES = 0.3;

    @Override
    public Target target() {
        return Target.SLOTS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        double leases = LEAST_LEASES + MORE_LEASES * random.nextDouble();
        Optional<Site.SlotMove> begun = scene.isStruck(NAME) ? Optional.empty() : scene.site.moveSlot(random);
        if (begun.isEmpty()) {
            return;
        }
        Site.SlotMove move = begun.get();
        scene.strike(NAME, NAME);
        move.target().stop();
        // The source waits for the target's answer, and serves nobody until then.
        Thread mover = new Thread(
                () -> {
                    try {
                        move.migration().moveKeys();
                    } catch (IOException e) {
                        // It did not answer in time: the keys that are left go when the move is finished.
                    }
                },
                NAME);
        mover.setDaemon(true);
        mover.start();
        scene.after(leases, () -> {
            move.target().resume();
            mover.join();
            move.migration().finish();
            scene.calm(NAME, NAME);
        });
    }
}
