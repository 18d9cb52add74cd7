package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A lock that all threads ask for with all options at once. */
final class MixedWorkload implements Workload {
    private static final String NAME = "x";
    private static final int LONGEST_WAIT_MILLIS = 300;

    private final Recorder recorder;
    private final List<Ask.Kind> kinds;

    /** Creates the workload with the kinds of mutex that the store has. */
    MixedWorkload(Recorder recorder, List<Ask.Kind> kinds) {
        this.recorder = recorder;
        this.kinds = kinds;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        Ask.Kind kind = kinds.get(random.nextInt(kinds.size()));
        Optional<Holding> holding = recorder.acquire(thread, Ask.whole(kind, NAME, patience(random)));
        if (holding.isPresent()) {
            Pace.hold(holding.get(), random);
            holding.get().release();
        }
        Pace.rest(random);
    }

    private static @Nullable Duration patience(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
            default -> null;
        };
    }
}
