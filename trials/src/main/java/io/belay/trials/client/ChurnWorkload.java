package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Names that nobody has used before, which several want for a moment; most give up soon, in all ways there are. */
final class ChurnWorkload implements Workload {
    private static final long NAME_LASTS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int LONGEST_WAIT_MILLIS = 20;
    private static final Ask.GiveUp[] WAYS = Ask.GiveUp.values();

    private final Recorder recorder;

    ChurnWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        String name = "n" + System.nanoTime() / NAME_LASTS_NANOS + "-" + random.nextInt(3);
        Duration patience = Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
        Ask.GiveUp way = WAYS[random.nextInt(WAYS.length)];
        Optional<Holding> holding =
                recorder.acquire(thread, Ask.mutex(name, patience).endedBy(way));
        if (holding.isPresent()) {
            Pace.hold(holding.get(), random);
            holding.get().release();
        }
    }
}
