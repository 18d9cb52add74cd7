package io.belay.trials.client;

import io.belay.trials.library.Ask;
import io.belay.trials.library.Library;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that hold a lock for a fixed time, or for a longest one, move its end, and sometimes keep it from others for a
 * while after they gave it back. Some have a client of their own, which is closed once they are done.
 */
final class JobsWorkload implements Workload {
    private static final int NAMES = 4;
    private static final int LONGEST_WAIT_MILLIS = 300;
    private static final int OWN_CLIENT_ONE_IN = 10;
    private static final int LEAST_KEPT_MILLIS = 50;
    private static final int MOST_KEPT_MILLIS = 800;
    /** The time beyond an earlier end for which a job goes on, in milliseconds. */
    private static final int PAST_MILLIS = 20;

    private final Recorder recorder;
    private final Supplier<Library> opener;
    private final long leaseMillis;

    JobsWorkload(Recorder recorder, Supplier<Library> opener, Duration lease) {
        this.recorder = recorder;
        this.opener = opener;
        leaseMillis = lease.toMillis();
    }

    @Override
    public void turn(int thread, Random random) throws InterruptedException {
        if (random.nextInt(OWN_CLIENT_ONE_IN) == 0) {
            try (Library own = opener.get()) {
                work(recorder.with(own), thread, random);
            }
        } else {
            work(recorder, thread, random);
        }
        Pace.rest(random);
    }

    private void work(Recorder client, int thread, Random random) throws InterruptedException {
        boolean fixed = random.nextBoolean() && client.hasLeasePerClaim();
        Ask ask = Ask.whole(fixed ? Ask.Kind.FIXED : Ask.Kind.LIMITED, "j" + random.nextInt(NAMES), patience(random));
        Optional<Holding> had = client.acquire(thread, ask);
        if (had.isEmpty()) {
            return;
        }
        Holding holding = had.get();
        Pace.hold(holding, random);
        move(holding, random);
        if (random.nextBoolean() && client.hasLeasePerClaim()) {
            holding.releaseAfter(Duration.ofMillis(random.nextInt(LEAST_KEPT_MILLIS, MOST_KEPT_MILLIS)));
        } else {
            holding.release();
        }
    }

    /**
     * Moves the end now and then: to a later one, and holds past the former; or to an earlier one, and holds past that. Never
     * to more than a lease from now: a quorum refuses that, and so whoever dies is in nobody's way for longer.
     */
    private void move(Holding holding, Random random) throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0 -> {
                Pace.hold(holding, leaseMillis / 2);
                holding.extend(ofLease(random.nextInt(70, 100)));
                Pace.hold(holding, ofLease(60).toMillis());
            }
            case 1 -> {
                Duration rest = ofLease(random.nextInt(5, 30));
                holding.extend(rest);
                Pace.hold(holding, rest.toMillis() + PAST_MILLIS);
            }
            default -> {}
        }
    }

    private Duration ofLease(int percent) {
        return Duration.ofMillis(leaseMillis * percent / 100);
    }

    private static @Nullable Duration patience(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
            default -> null;
        };
    }
}
