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

    /** The limit of a wait, in seconds: long enough for the assertion to tell by how much a promise was missed. */
    private static final int PATIENCE_SECONDS = 30;

    final CompletableFuture<Lease> waiting;
    private final CompletableFuture<Long> at;

    Served(CompletableFuture<Lease> waiting) {
        this.waiting = waiting;
        at = waiting.thenApply(lease -> System.nanoTime());
    }

    /** Asserts that the wait is served within this time from now, the margin and the lag; then gives the lock back. */
    void within(Duration promised) throws Exception {
        long from = System.nanoTime();
        try (Lag lag = new Lag()) {
            Duration took = Duration.ofNanos(at.get(PATIENCE_SECONDS, TimeUnit.SECONDS) - from);
            Duration withheld = lag.sum();
            assertThat(waiting.join().release()).isEqualTo(Release.RELEASED);
            assertThat(took)
                    .as("until the next was served; the machine withheld %s", withheld)
                    .isLessThanOrEqualTo(promised.plus(MARGIN).plus(withheld));
        }
    }
}
