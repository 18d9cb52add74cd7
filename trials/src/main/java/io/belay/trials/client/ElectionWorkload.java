package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.Optional;
import java.util.Random;

/** Candidates of one election, which lead for a while, and resign. */
final class ElectionWorkload implements Workload {
    private final Recorder recorder;

    ElectionWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        Optional<Holding> term = recorder.acquire(thread, Ask.term("leader"));
        if (term.isPresent()) {
            Pace.hold(term.get(), random);
            term.get().release();
        }
        Pace.rest(random);
    }
}
