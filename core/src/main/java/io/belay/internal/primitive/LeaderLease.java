package io.belay.internal.primitive;

import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Hold;
import io.belay.internal.machine.Asks;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A leader's lease; when it is given back, the observers are told. */
final class LeaderLease extends Hold {
    private final Runnable over;

    /** Makes one for a future, or for the present thread if there is none; {@code over} tells the observers. */
    LeaderLease(Gate gate, Asks asks, @Nullable Completion<?> completion, Runnable over) {
        super(gate, asks, completion);
        this.over = over;
    }

    @Override
    protected CompletableFuture<ReleaseOutcome> beginRelease(long delay) {
        boolean isOver = isReleased() || loss() != null; // which the observers are told already
        CompletableFuture<ReleaseOutcome> begun = super.beginRelease(delay);
        return isOver ? begun : begun.whenComplete((outcome, error) -> over.run());
    }
}
