package io.belay.trials.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Takes the processors away: several processes that do nothing but compute, for some leases. */
final class Starve implements Strike {
    private static final String NAME = "starve";
    private static final int EACH = 4;
    private static final double LONGEST_LEASES = 3;

    @Override
    public Target target() {
        return Target.CLIENTS;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        if (scene.isStruck(NAME)) {
            return;
        }
        scene.strike(NAME, NAME);
        List<Process> busy = new ArrayList<>();
        for (int i = 0; i < EACH * Runtime.getRuntime().availableProcessors(); i++) {
            // It ends by itself where nobody is left to end it.
            busy.add(new ProcessBuilder("sh", "-c", "while kill -0 $PPID 2>/dev/null; do :; done").start());
        }
        scene.after(LONGEST_LEASES * random.nextDouble(), () -> {
            busy.forEach(Process::destroyForcibly);
            scene.calm(NAME, NAME);
        });
    }
}
