package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Takes a lock of several, of one kind, in one of the ways there are, holds it for a while, gives it back. */
final class MutexWorkload implements Workload {
    private static final int NAMES = 8;

    private final Recorder recorder;
    private final Ask.Kind kind;

    MutexWorkload(Recorder recorder, Ask.Kind kind) {
        this.recorder = recorder;
        this.kind = kind;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        // Half of all go for the first name.
        String name = "m" + (random.nextBoolean() ? 0 : random.nextInt(NAMES));
        Optional<Holding> holding = recorder.acquire(thread, Ask.whole(kind, name, wait(random)));
        if (holding.isPresent()) {
            Pace.hold(holding.get(), random);
            holding.get().release();
        } else {
            Pace.rest(random);
        }
    }

    private static @Nullable Duration wait(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(random.nextInt(300));
            default -> null;
        };
    }
}
