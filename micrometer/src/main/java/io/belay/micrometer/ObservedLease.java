package io.belay.micrometer;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.LockStatistics.HoldEnd;
import io.belay.ReleaseOutcome;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A lease whose hold is observed, until its release has an outcome or it is lost, whichever is known first. */
final class ObservedLease implements Lease {
    private final Lease lease;
    private final Observation hold;
    private final AtomicBoolean ended = new AtomicBoolean();

    private ObservedLease(Lease lease, Observation hold) {
        this.lease = lease;
        this.hold = hold;
    }

    /** Returns the lease, with a hold that has been started. */
    static Lease of(Lease lease, Observation hold) {
        ObservedLease observed = new ObservedLease(lease, hold);
        lease.onLost(observed::lost);
        return observed;
    }

    private void lost(LeaseLostException loss) {
        if (ended.compareAndSet(false, true)) {
            hold.error(loss);
            stop(HoldEnd.LOST);
        }
    }

    private ReleaseOutcome released(ReleaseOutcome release) {
        if (ended.compareAndSet(false, true)) {
            stop(
                    switch (release) {
                        case RELEASED -> HoldEnd.RELEASED;
                        case ALREADY_LOST -> HoldEnd.LOST;
                        case UNKNOWN -> HoldEnd.UNKNOWN;
                    });
        }
        return release;
    }

    private void stop(HoldEnd end) {
        hold.lowCardinalityKeyValue("outcome", FamilyMeters.lowerCase(end)).stop();
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
        return released(lease.release());
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return lease.releaseAsync().thenApply(this::released);
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        return released(lease.releaseAfter(delay));
    }

    @Override
    public Duration extend(Duration duration) {
        return lease.extend(duration);
    }

    @Override
    public void close() {
        lease.close();
        released(lease.release()); // once more, for the outcome: it does nothing else
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
