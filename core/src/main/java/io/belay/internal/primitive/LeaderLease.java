package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A leader's lease; when it is over, the observers are told.
 *
 * @param lease the lock's lease
 * @param over tells the observers
 */
record LeaderLease(Lease lease, Runnable over) implements Lease {
    static LeaderLease of(Lease lease, Runnable over) {
        lease.onLost(loss -> over.run());
        return new LeaderLease(lease, over);
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public long token() {
        return lease.token();
    }

    @Override
    public LockMode mode() {
        return lease.mode();
    }

    @Override
    public OptionalInt replicas() {
        return lease.replicas();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public void ensureHeld() {
        lease.ensureHeld();
    }

    @Override
    public Lease onLost(Consumer<? super LeaseLostException> listener) {
        lease.onLost(listener);
        return this;
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome outcome = lease.release();
        over.run();
        return outcome;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return lease.releaseAsync().whenComplete((outcome, error) -> over.run());
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        ReleaseOutcome outcome = lease.releaseAfter(delay);
        over.run();
        return outcome;
    }

    @Override
    public Duration extend(Duration duration) {
        return lease.extend(duration);
    }

    @Override
    public void close() {
        lease.close();
        over.run();
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
