package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Hold;
import io.belay.internal.machine.Asks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A leader's lease; when it is given back, the observers are told. */
final class LeaderLease extends Hold {
    private final Runnable over;

    /** Makes one for the present thread; {@code over} tells the observers. */
    LeaderLease(Gate gate, Asks asks, Runnable over) {
        super(gate, asks);
        this.over = over;
    }

    /** Makes one for a future of the result. */
    LeaderLease(
            Gate gate,
            Asks asks,
            Runnable over,
            CompletableFuture<Lease> future,
            Function<Optional<Lease>, Lease> result) {
        super(gate, asks, future, result);
        this.over = over;
    }

    @Override
    protected CompletableFuture<ReleaseOutcome> beginRelease(long delay) {
        boolean isOver = isReleased() || loss() != null; // which the observers are told already
        CompletableFuture<ReleaseOutcome> begun = super.beginRelease(delay);
        return isOver ? begun : begun.whenComplete((outcome, error) -> over.run());
    }
}
