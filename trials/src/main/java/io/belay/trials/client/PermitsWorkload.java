package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Some of three permits, or all of them. */
final class PermitsWorkload implements Workload {
    private static final int PERMITS = 3;
    private static final int LONGEST_WAIT_MILLIS = 500;

    private final Recorder recorder;

    PermitsWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        Duration patience = random.nextBoolean() ? null : Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
        Optional<Holding> holding =
                recorder.acquire(thread, Ask.permits("p", 1 + random.nextInt(PERMITS), PERMITS, patience));
        if (holding.isPresent()) {
            Pace.hold(holding.get(), random);
            holding.get().release();
        }
        Pace.rest(random);
    }
}
