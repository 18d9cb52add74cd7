package io.belay.shedlock;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A provider of ShedLock's locks on any store of Belay. Immutable: each {@code with...} method returns a changed copy.
 *
 * <p>A lock has the lease of the client's default options, 30 seconds ({@link #withLease}), that is renewed while its job runs. So a node that dies frees
 * the lock when its lease ends, and not after {@code lockAtMostFor}, which only bounds a job that hangs: then the lock is
 * lost while the job still runs. The lease is never longer than {@code lockAtMostFor}. A node that dies keeps the others
 * away until its lease and {@code lockAtLeastFor} are both over.
 *
 * <p>{@code lockAtLeastFor} and {@code lockAtMostFor} count as ShedLock counts them, from the creation of the
 * configuration; less than a millisecond counts as one. A lock that is unlocked before the former is over stays taken until
 * then, whatever becomes of the node and its client. A store without leases of a claim's own, as ZooKeeper, cannot do that.
 *
 * <p>Thread-safe. Keeps nothing of a lock once it is unlocked, and does not close the client.
 */
public final class BelayLockProvider implements ExtensibleLockProvider {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    private final Belay belay;
    private final String namespace;
    private final Duration lease;
    private final boolean interrupts;

    private BelayLockProvider(Belay belay, String namespace, Duration lease, boolean interrupts) {
        this.belay = belay;
        this.namespace = namespace;
        this.lease = lease;
        this.interrupts = interrupts;
    }

    /**
     * Makes a provider whose locks are called {@code "shedlock:" + name}.
     *
     * @param belay the client, which has to stay open while there are jobs
     */
    public static BelayLockProvider of(Belay belay) {
        Objects.requireNonNull(belay, "belay");
        return new BelayLockProvider(belay, "shedlock", belay.lockDefaults().lease(), false);
    }

    /**
     * Puts the locks into another {@linkplain Belay#namespace namespace} than {@code shedlock}, so that jobs of
     * applications that share a store do not meet.
     *
     * @param namespace a name, or empty for none: then the names of locks are ShedLock's own
     */
    public BelayLockProvider withNamespace(String namespace) {
        Objects.requireNonNull(namespace, "namespace");
        if (!namespace.isEmpty()) {
            Objects.requireNonNull(
                    belay.namespace(namespace)); // refuses what is no name here, and not at the first job
        }
        return new BelayLockProvider(belay, namespace, lease, interrupts);
    }

    /**
     * Sets for how long a lock stays taken when its node dies, as far as {@code lockAtMostFor} allows, and
     * unless {@code lockAtLeastFor} is longer. The client renews it at a third of that.
     *
     * @param lease at least 100 milliseconds
     * @throws IllegalArgumentException if it is shorter, or longer than 365 days
     */
    public BelayLockProvider withLease(Duration lease) {
        Objects.requireNonNull(lease, "lease");
        Duration checked = LockOptions.defaults().withLease(lease).lease();
        return new BelayLockProvider(belay, namespace, checked, interrupts);
    }

    /**
     * Interrupts the thread that called {@link #lock} if the lock is lost before it is unlocked: because
     * {@code lockAtMostFor} is over, the store did not answer for a lease, the lock was taken by force, or the client was
     * closed. After {@code unlock} on that thread no interrupt comes any more, and one that the job has not noticed is
     * taken back: the next job of the thread has nothing to do with it.
     */
    public BelayLockProvider withInterruptOnLoss() {
        return new BelayLockProvider(belay, namespace, lease, true);
    }

    /**
     * Takes the lock if it is free. Blocks for one round trip at most, on a quorum for up to four.
     *
     * @return the lock, or empty if another node or thread has it
     * @throws StoreUnavailableException if the store did not answer in time: nobody knows who has the lock
     * @throws BelayException if the client is closed, or the store refuses
     * @throws UnsupportedOperationException if the store cannot keep a lock for {@code lockAtLeastFor}
     * @throws IllegalArgumentException if the name is longer than Belay's may be, or has control characters, or if a
     *     duration is longer than 365 days
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration lockConfiguration) {
        Objects.requireNonNull(lockConfiguration, "lockConfiguration");
        Duration atMost = atLeastAMillisecond(fromNow(lockConfiguration.getLockAtMostUntil()));
        Duration atLeast = fromNow(lockConfiguration.getLockAtLeastUntil());
        LockOptions options = LockOptions.defaults().withMaxHold(atMost).withLease(leaseOf(atMost));
        if (isPositive(atLeast)) {
            checkAtLeast(lockConfiguration.getName());
            options = options.withAtLeast(atLeastAMillisecond(atLeast));
        }
        return locks().lock(lockConfiguration.getName(), options).tryAcquire().map(had -> held(had, lockConfiguration));
    }

    private SimpleLock held(Lease had, LockConfiguration configuration) {
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        if (interrupts) {
            had.onLost(loss -> interrupt.lost());
        }
        return new JobLock(this, configuration.getName(), had, interrupt, Duration.ZERO);
    }

    private Belay locks() {
        return namespace.isEmpty() ? belay : belay.namespace(namespace);
    }

    private Duration leaseOf(Duration atMost) {
        return longer(SHORTEST_LEASE, lease.compareTo(atMost) < 0 ? lease : atMost);
    }

    /** Throws if the store could not keep a lock taken after its unlock. */
    void checkAtLeast(String name) {
        if (!belay.admin().capabilities().leasePerClaim()) {
            throw new UnsupportedOperationException(
                    "lock " + name + " asks for lockAtLeastFor, and this store cannot keep a"
                            + " lock taken when its holder has gone; set lockAtLeastFor to zero, or use another store");
        }
    }

    static boolean isPositive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    static Duration atLeastAMillisecond(Duration duration) {
        return longer(SHORTEST, duration);
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static Duration fromNow(Instant end) {
        return Duration.between(ClockProvider.now(), end);
    }
}
