package io.belay.micrometer;

import io.belay.DistributedLock;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;

/**
 * A decorator of locks that makes observations of waits and holds, for traces of single callers.
 *
 * <pre>{@code
 * DistributedLock lock = ObservedLocks.of(observations).lock(belay.lock("stock:iphone"));
 * }</pre>
 *
 * <p>{@code belay.acquire} is a wait, from the call to its outcome: {@code acquired}, {@code timeout}, {@code refused},
 * {@code error} or {@code cancelled}. {@code belay.hold} is a hold, from then on to the outcome of its release or to its
 * loss: {@code released}, {@code lost} or {@code unknown}. Both have the keys {@code lock}, the lock's family, and
 * {@code outcome}; for traces alone they have {@code lock.name} and, once the lock is had, {@code lock.token}. The parent of
 * both is the observation within which the lock was asked for. While a thread waits its wait is the current observation; a
 * hold never is, as any thread may end it.
 *
 * <p>Any {@link DistributedLock} may be decorated: one of readers, of writers, or of permits. Its leases are the decorator's,
 * which {@code downgrade} and {@code tryUpgrade} of a read-write lock do not know as theirs, nor {@code reduceTo} and
 * {@code ticket} of a semaphore. Nor does {@code MultiLock} see that two decorated locks are ways to hold the same, and refuse
 * them: it would wait for itself. Dependents of {@code callAsync} may run on the thread that ended its body, where the lock was
 * given back at once.
 *
 * <p>Thread-safe.
 */
public final class ObservedLocks {
    private final ObservationRegistry registry;

    private ObservedLocks(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** Returns a decorator of locks whose observations go to a registry. */
    public static ObservedLocks of(ObservationRegistry registry) {
        return new ObservedLocks(Objects.requireNonNull(registry, "registry"));
    }

    /** Returns a lock that does what the given one does, and is observed; the given one if nobody observes. */
    public DistributedLock lock(DistributedLock lock) {
        Objects.requireNonNull(lock, "lock");
        return registry.isNoop() ? lock : new ObservedLock(lock, registry);
    }
}
