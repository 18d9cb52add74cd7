package io.belay.trials.client;

import io.belay.trials.library.Ask;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Two of four locks, one after the other, in any order: again and again threads wait for each other in a ring. Whoever is told to give up
 * gives back what it holds; without that nobody would proceed, and all would be stuck at the end.
 */
final class RingsWorkload implements Workload {
    private static final int NAMES = 4;

    private static final int LOOK_EVERY_MILLIS = 50;

    private final Recorder recorder;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "watch");
        thread.setDaemon(true);
        return thread;
    });

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
            Optional<Holding> other = take(thread, second, one.get());
            if (other.isPresent()) {
                Pace.hold(other.get(), random);
                other.get().release();
            }
            one.get().look();
            one.get().release();
        }
        Pace.rest(random);
    }

    /**
     * Takes a lock, and asks meanwhile for another one that is held, as that is renewed: a history that names but its first end would
     * have it free from there on.
     */
    private Optional<Holding> take(int thread, int number, Holding held) throws InterruptedException {
        Future<?> looks =
                watch.scheduleWithFixedDelay(held::look, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        try {
            return take(thread, number);
        } finally {
            looks.cancel(false);
            awaitLastLook();
        }
    }

    private void awaitLastLook() throws InterruptedException {
        try {
            watch.submit(() -> {}).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        watch.shutdown();
    }

    private Optional<Holding> take(int thread, int number) throws InterruptedException {
        return recorder.acquire(thread, Ask.whole(Ask.Kind.BREAKING, "x" + number, null));
    }
}
