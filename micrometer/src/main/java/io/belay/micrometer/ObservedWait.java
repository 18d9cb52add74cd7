package io.belay.micrometer;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockRefusedException;
import io.belay.LockStatistics.WaitEnd;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** One wait for a lock that is observed, and the hold that may follow it. */
final class ObservedWait {
    private final DistributedLock lock;
    private final ObservationRegistry registry;
    private final @Nullable Observation parent;
    private final String family;
    private final Observation observation;

    private ObservedWait(DistributedLock lock, ObservationRegistry registry) {
        this.lock = lock;
        this.registry = registry;
        parent = registry.getCurrentObservation();
        family = lock.family();
        observation = start("belay.acquire", FamilyMeters.lowerCase(WaitEnd.ERROR));
    }

    /** Begins to observe a wait, within what the thread does now. */
    static ObservedWait begin(DistributedLock lock, ObservationRegistry registry) {
        return new ObservedWait(lock, registry);
    }

    private Observation start(String name, String outcomeOfFailure) {
        Observation made = Observation.createNotStarted(name, registry)
                .parentObservation(parent)
                .contextualName(name + " " + family)
                .lowCardinalityKeyValue("lock", family)
                .highCardinalityKeyValue("lock.name", lock.name());
        try {
            return made.start();
        } catch (Throwable e) { // who observes: those that have begun end
            made.lowCardinalityKeyValue("outcome", outcomeOfFailure); // or meters would have a series without that tag
            try {
                try {
                    made.error(e);
                } finally {
                    made.stop();
                }
            } catch (Throwable after) { // of one that had not begun
                e.addSuppressed(after);
            }
            throw e;
        }
    }

    Observation.Scope openScope() {
        return observation.openScope();
    }

    /** Ends the wait with what came of it, and begins to observe the hold if there is one. */
    Optional<Lease> ended(Optional<Lease> had) {
        if (had.isEmpty()) {
            stop(WaitEnd.TIMEOUT);
            return had;
        }
        Lease lease = had.get();
        try {
            String token = Long.toString(lease.token());
            observation.highCardinalityKeyValue("lock.token", token);
            stop(WaitEnd.ACQUIRED);
            Observation hold = start("belay.hold", "unknown").highCardinalityKeyValue("lock.token", token);
            return Optional.of(ObservedLease.of(lease, hold));
        } catch (Throwable e) { // who observes may throw, and then nobody has the lease that could give it back
            var unused = lease.releaseAsync();
            throw e;
        }
    }

    /** Ends a wait that threw this, which is told whatever those throw who observe. */
    void failed(Throwable error) {
        try {
            try {
                observation.error(error);
            } finally {
                stop(end(error));
            }
        } catch (Throwable e) {
            if (e != error) {
                error.addSuppressed(e);
            }
        }
    }

    private static WaitEnd end(Throwable error) {
        if (error instanceof LockRefusedException) {
            return WaitEnd.REFUSED;
        } else if (error instanceof InterruptedException || error instanceof CancellationException) {
            return WaitEnd.CANCELLED;
        }
        return WaitEnd.ERROR;
    }

    private void stop(WaitEnd end) {
        observation
                .lowCardinalityKeyValue("outcome", FamilyMeters.lowerCase(end))
                .stop();
    }
}
