package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.Optional;
import java.util.Random;

/** A lock in strict order: a waiter looks for its place, so that it is known who came before whom. */
final class OrderWorkload implements Workload {
    private final Recorder recorder;

    OrderWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        Optional<Holding> holding = recorder.acquireInOrder(thread, Ask.ordered("o"));
        if (holding.isPresent()) {
            // Most for no time, so that many are served.
            if (random.nextInt(6) == 0) {
                Pace.hold(holding.get(), random);
            }
            holding.get().release();
        }
        Pace.rest(random);
    }
}
