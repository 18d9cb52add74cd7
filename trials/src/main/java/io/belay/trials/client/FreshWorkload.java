package io.belay.trials.client;

import io.belay.trials.library.Ask;
import io.belay.trials.library.Library;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A workload in which one thread of each process waits for locks, and the others open a client for each turn,
 * whose first request they mostly give up at once. Some of these clients live on for a while, so that others meet
 * what they left.
 */
final class FreshWorkload implements Workload {
    private static final int NAMES = 3;
    private static final int LONGEST_WAIT_MILLIS = 60;
    /** The longest of the short waits, in microseconds: a store that is near has answered by then. */
    private static final int SHORT_WAIT_MICROS = 3000;

    private static final int MOST_KEPT = 3;
    private static final int KEPT_LEASES = 3;
    private static final Ask.GiveUp[] WAYS = Ask.GiveUp.values();

    private record Kept(Library library, long since) {}

    private final Recorder recorder;
    private final Supplier<Library> opener;
    private final long keptNanos;
    private final Deque<Kept> kept = new ArrayDeque<>();

    FreshWorkload(Recorder recorder, Supplier<Library> opener, Duration lease) {
        this.recorder = recorder;
        this.opener = opener;
        keptNanos = lease.multipliedBy(KEPT_LEASES).toNanos();
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        String name = "f" + random.nextInt(NAMES);
        if (thread == 0) {
            take(recorder, thread, Ask.mutex(name, null), random);
            Pace.rest(random);
            return;
        }
        Library library = opener.get();
        Ask ask = Ask.mutex(name, patience(random)).endedBy(WAYS[random.nextInt(WAYS.length)]);
        take(recorder.with(library), thread, ask, random);
        keepOrClose(library, random);
    }

    private static void take(Recorder recorder, int thread, Ask ask, Random random) throws InterruptedException {
        Optional<Holding> holding = recorder.acquire(thread, ask);
        if (holding.isPresent()) {
            Pace.holdBriefly(random);
            holding.get().release();
        }
    }

    private static Duration patience(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
            default -> Duration.of(random.nextInt(SHORT_WAIT_MICROS), TimeUnit.MICROSECONDS.toChronoUnit());
        };
    }

    private void keepOrClose(Library library, Random random) {
        Kept oldest = kept.peek();
        if (oldest != null && System.nanoTime() - oldest.since() > keptNanos) {
            kept.remove();
            oldest.library().close();
        }
        if (kept.size() < MOST_KEPT && random.nextBoolean()) {
            kept.add(new Kept(library, System.nanoTime()));
        } else {
            library.close();
        }
    }

    @Override
    public void close() {
        kept.forEach(one -> one.library().close());
    }
}
