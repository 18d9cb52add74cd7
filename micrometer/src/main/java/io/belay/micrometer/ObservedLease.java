package io.belay.micrometer;

import io.belay.ForwardingLease;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LossReason;
import io.belay.ReleaseOutcome;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lease whose hold is observed, until its release has an outcome or it is lost, whichever is known first. */
final class ObservedLease extends ForwardingLease {
    private static final Log LOG = Log.of(LogName.CLIENT);

    private final Observation hold;
    private final AtomicBoolean ended = new AtomicBoolean();

    private ObservedLease(Lease lease, Observation hold) {
        super(lease);
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
            try {
                if (loss.reason().orElse(null) != LossReason.ENDED) { // which is as it was wanted
                    hold.error(loss);
                }
            } finally { // a handler that throws is logged as a listener that failed
                stop(HoldEnd.LOST);
            }
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
        try {
            hold.lowCardinalityKeyValue("outcome", FamilyMeters.lowerCase(end)).stop();
        } catch (Throwable e) { // who observes may throw, and who gives a lease back is not told of it
            LOG.error("A handler of observations failed as a hold of '{}' ended", name(), e);
        }
    }

    @Override
    public ReleaseOutcome release() {
        return released(super.release());
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return super.releaseAsync().thenApply(this::released);
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        return released(super.releaseAfter(delay));
    }

    @Override
    public void close() {
        super.close();
        released(super.release()); // once more, for the outcome: it does nothing else
    }
}
