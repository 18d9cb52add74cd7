package io.belay.trials.library;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.trials.plant.Plant;
import io.belay.trials.plant.PlantedGrant;
import java.time.Duration;
import java.util.Optional;

/** Belay itself. */
final class BelayLibrary implements Library {
    private final Belay belay;
    private final Plant plant;

    BelayLibrary(Belay belay, Plant plant) {
        this.belay = belay;
        this.plant = plant;
    }

    static BelayOptions options(Duration lease, String process) {
        return BelayOptions.defaults()
                .withClientName(process)
                .withLockDefaults(LockOptions.defaults().withLease(lease));
    }

    @Override
    public Optional<Grant> acquire(Ask ask) throws InterruptedException {
        return acquire(lock(ask), ask).map(lease -> planted(new LeaseGrant(lease)));
    }

    private Grant planted(LeaseGrant grant) {
        return plant == Plant.NONE
                ? grant
                : new PlantedGrant(
                        grant, plant, () -> belay.forceRelease(grant.lease().name()));
    }

    private DistributedLock lock(Ask ask) {
        return switch (ask.kind()) {
            case MUTEX -> belay.lock(ask.name());
        };
    }

    private static Optional<Lease> acquire(DistributedLock lock, Ask ask) throws InterruptedException {
        if (ask.patience() == null) {
            return Optional.of(lock.acquire());
        }
        return ask.patience().isZero() ? lock.tryAcquire() : lock.tryAcquire(ask.patience());
    }

    @Override
    public void close() {
        belay.close();
    }

    private record LeaseGrant(Lease lease) implements Grant {
        @Override
        public long token() {
            return lease.token();
        }

        @Override
        public long remainingNanos() {
            return lease.remaining().toNanos();
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public void onLost(Runnable told) {
            lease.onLost(loss -> told.run());
        }

        @Override
        public Outcome release() {
            return switch (lease.release()) {
                case RELEASED -> Outcome.RELEASED;
                case ALREADY_LOST -> Outcome.LATE;
                case UNKNOWN -> Outcome.UNKNOWN;
            };
        }
    }
}
