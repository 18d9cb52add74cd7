package io.belay.internal.primitive;

import io.belay.ForwardingLease;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A leader's lease; when it is over, the observers are told. */
final class LeaderLease extends ForwardingLease {
    private final Runnable over;

    private LeaderLease(Lease lease, Runnable over) {
        super(lease);
        this.over = over;
    }

    /** Returns the lock's lease, at whose end the observers are told by running that. */
    static LeaderLease of(Lease lease, Runnable over) {
        lease.onLost(loss -> over.run());
        return new LeaderLease(lease, over);
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome outcome = super.release();
        over.run();
        return outcome;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return super.releaseAsync().whenComplete((outcome, error) -> over.run());
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        ReleaseOutcome outcome = super.releaseAfter(delay);
        over.run();
        return outcome;
    }

    @Override
    public void close() {
        super.close();
        over.run();
    }
}
