package io.belay.trials.library;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DeadlockException;
import io.belay.DeadlockPolicy;
import io.belay.DistributedLock;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.recipes.MultiLock;
import io.belay.trials.plant.LastFirst;
import io.belay.trials.plant.Plant;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Belay itself. */
final class BelayLibrary implements Library {
    /** The idle time of a sticky lock, longer than a trial: the client lets go when others want it, and not before. */
    private static final Duration STICKY_IDLE = Duration.ofMinutes(10);

    private static final int LOOK_EVERY_MILLIS = 5;

    private final Belay belay;
    private final LockOptions options;
    private final Plant plant;
    private final LastFirst lastFirst = new LastFirst();

    BelayLibrary(Belay belay, Duration lease, Plant plant) {
        this.belay = belay;
        options = LockOptions.defaults().withLease(lease);
        this.plant = plant;
    }

    static BelayOptions options(Duration lease, String process) {
        return BelayOptions.defaults()
                .withClientName(process)
                .withLockDefaults(LockOptions.defaults().withLease(lease));
    }

    @Override
    public Optional<Grant> acquire(Ask ask) throws InterruptedException {
        if (ask.kind() == Ask.Kind.TERM) {
            return Optional.of(
                    planted(new LeaseGrant(belay, belay.election(ask.name()).campaign(), true)));
        }
        return acquire(lock(ask), ask)
                .map(lease -> planted(new LeaseGrant(belay, lease, ask.kind() != Ask.Kind.PERMITS)));
    }

    /** Only a wait that ends by its time may end without an answer: every other one lasts until the store is back. */
    @Override
    public boolean mayThrow(Ask ask, RuntimeException thrown) {
        return ask.patience() != null
                && ask.giveUp() == Ask.GiveUp.TIMEOUT
                && thrown instanceof StoreUnavailableException;
    }

    private Grant planted(LeaseGrant grant) {
        return plant == Plant.NONE
                ? grant
                : new PlantedGrant(
                        grant,
                        plant,
                        () -> belay.admin().forceRelease(grant.lease().name()));
    }

    private DistributedLock lock(Ask ask) {
        return switch (ask.kind()) {
            case MUTEX -> belay.lock(ask.name());
            case ORDERED -> belay.lock(ask.name(), options.withStrictOrder(true));
            case FIXED -> belay.lock(ask.name(), options.withFixedLease(options.lease()));
            case LIMITED -> belay.lock(ask.name(), options.withMaxHold(options.lease()));
            case STICKY -> belay.lock(ask.name(), options.withSticky(STICKY_IDLE));
            case NO_BARGING -> belay.lock(ask.name(), options.withBarging(false));
            case BREAKING -> belay.lock(ask.name(), options.withDeadlock(DeadlockPolicy.THROW));
            case READ -> belay.readWriteLock(ask.name()).readLock();
            case WRITE -> belay.readWriteLock(ask.name()).writeLock();
            case PERMITS -> belay.semaphore(ask.name(), ask.capacity()).permits(ask.weight());
            case TERM -> throw new IllegalArgumentException("a term is no lock");
        };
    }

    private static Optional<Lease> acquire(DistributedLock lock, Ask ask) throws InterruptedException {
        if (ask.patience() == null) {
            try {
                return Optional.of(lock.acquire());
            } catch (DeadlockException e) {
                return Optional.empty();
            }
        }
        return switch (ask.giveUp()) {
            case TIMEOUT -> ask.patience().isZero() ? lock.tryAcquire() : lock.tryAcquire(ask.patience());
            case CANCEL -> cancelled(lock.acquireAsync(), ask.patience());
            case INTERRUPT -> interrupted(lock, ask.patience());
        };
    }

    private static Optional<Lease> cancelled(CompletableFuture<Lease> waiting, Duration patience)
            throws InterruptedException {
        try {
            return Optional.of(waiting.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            // It may have been granted at the last moment.
            return waiting.cancel(true) ? Optional.empty() : Optional.of(granted(waiting));
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static Lease granted(CompletableFuture<Lease> waiting) throws InterruptedException {
        try {
            return waiting.get();
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static RuntimeException thrown(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause ? cause : new CompletionException(e.getCause());
    }

    private static Optional<Lease> interrupted(DistributedLock lock, Duration patience) {
        try (Alarm alarm = Alarm.in(patience)) {
            return Optional.of(lock.acquire());
        } catch (InterruptedException e) {
            return Optional.empty();
        }
    }

    @Override
    public Grant acquireInOrder(Ask ask, Runnable queued) throws InterruptedException {
        long asked = System.nanoTime();
        DistributedLock lock = lock(ask);
        CompletableFuture<Lease> waiting = plant == Plant.ORDER_BROKEN ? lastFirst.acquire(lock) : lock.acquireAsync();
        while (!waiting.isDone()) {
            if (isListed(ask.name(), asked)) {
                queued.run();
                break;
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
        return planted(new LeaseGrant(belay, granted(waiting), true));
    }

    /** Returns whether the store has a claim that this thread has entered since then. */
    private boolean isListed(String name, long asked) {
        String thread = Thread.currentThread().getName();
        List<Inspection.Claim> claims;
        try {
            claims = belay.admin().inspect(name).claims();
        } catch (StoreUnavailableException e) {
            return false;
        }
        Duration since = Duration.ofNanos(System.nanoTime() - asked);
        return claims.stream()
                .anyMatch(claim -> claim.own()
                        && claim.thread().equals(thread)
                        && claim.age().compareTo(since) <= 0);
    }

    @Override
    public List<Grant> acquireAll(List<Ask> asks) throws InterruptedException {
        Map<String, Grant> grants = new HashMap<>();
        for (Lease lease :
                MultiLock.of(asks.stream().map(this::lock).toList()).acquire().leases()) {
            grants.put(lease.name(), planted(new LeaseGrant(belay, lease, true)));
        }
        return asks.stream()
                .map(ask -> Objects.requireNonNull(grants.get(ask.name())))
                .toList();
    }

    @Override
    public boolean hasLeasePerClaim() {
        return belay.admin().capabilities().leasePerClaim();
    }

    @Override
    public void close() {
        belay.close();
    }

    private record LeaseGrant(Belay belay, Lease lease, boolean ordered) implements Grant {
        @Override
        public long token() {
            return ordered ? lease.token() : NO_TOKEN; // those of permits have no order
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
        public Grant downgrade() {
            return new LeaseGrant(belay, belay.readWriteLock(lease.name()).downgrade(lease), ordered);
        }

        @Override
        public void extend(Duration duration) {
            lease.extend(duration);
        }

        @Override
        public Outcome release() {
            return outcome(lease.release());
        }

        @Override
        public Outcome releaseAfter(Duration delay) {
            return outcome(lease.releaseAfter(delay));
        }

        private static Outcome outcome(ReleaseOutcome release) {
            return switch (release) {
                case RELEASED -> Outcome.RELEASED;
                case ALREADY_LOST -> Outcome.LATE;
                case UNKNOWN -> Outcome.UNKNOWN;
            };
        }
    }
}
