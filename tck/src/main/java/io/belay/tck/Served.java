package io.belay.tck;

import io.belay.Lease;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A wait, and the time at which it was served. */
final class Served {
    /** The time that the library may add to any time that it promises. */
    static final Duration MARGIN = Duration.ofMillis(500);

    /** How long a wait goes on after the time that was promised, so that the assertion can tell by how much it was missed. */
    private static final Duration PATIENCE = Pace.HERE.patience();

    final CompletableFuture<Lease> waiting;
    private final CompletableFuture<Long> at;

    Served(CompletableFuture<Lease> waiting) {
        this.waiting = waiting;
        at = waiting.thenApply(lease -> System.nanoTime());
    }

    /**
     * Says that the wait is served within this time from now, the margin and the lag, and holds until it is given back,
     * which this does. Returns the time that it took.
     */
    Duration within(Duration promised, Premise premise) throws Exception {
        long from = System.nanoTime();
        Duration took;
        try (Lag lag = new Lag()) {
            took = Duration.ofNanos(at.get(promised.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS) - from);
            Duration withheld = lag.sum();
            premise.holds(
                    took.compareTo(promised.plus(MARGIN).plus(withheld)) <= 0,
                    "the next is served within " + promised + " and half a second; it was after " + took
                            + ", of which the machine withheld " + withheld);
        }
        premise.holds(waiting.join().release() == ReleaseOutcome.RELEASED, "a lease that has just begun is held");
        return took;
    }
}
