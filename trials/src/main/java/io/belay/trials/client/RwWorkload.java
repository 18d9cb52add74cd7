package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.Optional;
import java.util.Random;

/** Readers against writers; some writers go on as readers. */
final class RwWorkload implements Workload {
    private static final int NAMES = 2;

    private final Recorder recorder;

    RwWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        String name = "rw" + random.nextInt(NAMES);
        boolean writes = random.nextInt(3) == 0;
        Optional<Holding> had = recorder.acquire(thread, writes ? Ask.write(name) : Ask.read(name));
        if (had.isEmpty()) {
            Pace.rest(random);
            return;
        }
        Holding holding = had.get();
        Pace.hold(holding, random);
        if (writes && random.nextBoolean()) {
            Optional<Holding> reading = recorder.downgrade(thread, holding, Ask.read(name));
            if (reading.isEmpty()) {
                return;
            }
            holding = reading.get();
            Pace.hold(holding, random);
        }
        holding.release();
        Pace.rest(random);
    }
}
