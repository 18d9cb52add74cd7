package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.Optional;
import java.util.Random;

/**
 * Two of four locks, one after the other, in any order: again and again threads wait for each other in a ring. Whoever is told to give up
 * gives back what it holds; without that nobody would proceed, and all would be stuck at the end.
 */
final class RingsWorkload implements Workload {
    private static final int NAMES = 4;

    private final Recorder recorder;

    RingsWorkload(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        int first = random.nextInt(NAMES);
        int second = (first + 1 + random.nextInt(NAMES - 1)) % NAMES;
        Optional<Holding> one = take(thread, first);
        if (one.isPresent()) {
            Pace.holdBriefly(random); // so that others have theirs
            Optional<Holding> other = take(thread, second);
            if (other.isPresent()) {
                Pace.hold(other.get(), random);
                other.get().release();
            }
            one.get().look();
            one.get().release();
        }
        Pace.rest(random);
    }

    private Optional<Holding> take(int thread, int number) throws InterruptedException {
        return recorder.acquire(thread, Ask.whole(Ask.Kind.BREAKING, "x" + number, null));
    }
}
