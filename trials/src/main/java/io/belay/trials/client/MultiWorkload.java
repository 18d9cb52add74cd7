package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Several locks at once, named in any order. */
final class MultiWorkload implements Workload {
    private static final int NAMES = 4;

    private final Recorder recorder;

    MultiWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        List<Ask> asks = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            asks.add(Ask.mutex("x" + i, null));
        }
        Collections.shuffle(asks, random);
        List<Holding> holdings = recorder.acquireAll(thread, asks.subList(0, 1 + random.nextInt(NAMES - 1)));
        if (!holdings.isEmpty()) {
            Pace.hold(holdings.get(0), random);
            holdings.forEach(Holding::look);
            holdings.forEach(Holding::release);
        }
        Pace.rest(random);
    }
}
