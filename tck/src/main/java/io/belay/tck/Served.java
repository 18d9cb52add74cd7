package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A wait, and the time at which it was served. */
final class Served {
    /** The time that the library may add to any time that it promises. */
    private static final Duration MARGIN = Duration.ofMillis(500);

    /** How long a wait goes on after the time that was promised, so that the assertion can tell by how much it was missed. */
    private static final Duration PATIENCE = Pace.HERE.patience();

    final CompletableFuture<Lease> waiting;
    private final CompletableFuture<Long> at;

    Served(CompletableFuture<Lease> waiting) {
        this.waiting = waiting;
        at = waiting.thenApply(lease -> System.nanoTime());
    }

    /** Asserts that the wait is served within this time from now, the margin and the lag; then gives the lock back. */
    void within(Duration promised) throws Exception {
        assertThat(servedWithin(promised).release()).isEqualTo(Release.RELEASED);
    }

    /** Does the same where the lease may be too brief for this machine. */
    void within(Duration promised, Premise premise) throws Exception {
        Lease served = servedWithin(promised);
        premise.holds(served.release() == Release.RELEASED, "a lease that has just begun");
    }

    private Lease servedWithin(Duration promised) throws Exception {
        long from = System.nanoTime();
        try (Lag lag = new Lag()) {
            Duration took = Duration.ofNanos(at.get(promised.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS) - from);
            Duration withheld = lag.sum();
            assertThat(took)
                    .as("until the next was served; the machine withheld %s", withheld)
                    .isLessThanOrEqualTo(promised.plus(MARGIN).plus(withheld));
            return waiting.join();
        }
    }
}
