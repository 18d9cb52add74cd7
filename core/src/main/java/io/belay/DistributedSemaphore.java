package io.belay;

import java.util.Optional;

/**
 * A number of permits, shared by all processes that use the same store and name. Permits are held as leases: those of
 * a dead process come back when its leases end. A caller that asks for several gets all or none, and callers are
 * served in the order of asking, so a claim for many is not overtaken by claims for few, and two clients that each
 * want all never deadlock.
 *
 * <p>Tokens of permits have no order, unless there is but one permit.
 *
 * <p>Thread-safe; holds nothing by itself.
 */
public interface DistributedSemaphore {
    /** Returns the semaphore's full name, namespaces included. */
    String name();

    /**
     * Returns so many permits as one lock, to be acquired as any lock is: waiting, for a time, at once, or without
     * blocking. Whoever has the lease gives all of them back.
     *
     * @param permits how many, from 1 to all
     * @throws IllegalArgumentException if there are never so many
     */
    DistributedLock permits(int permits);

    /**
     * Waits for one permit.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws ClaimRefusedException if others use the name with another number of permits
     */
    default Lease acquire() throws InterruptedException {
        return permits(1).acquire();
    }

    /** Acquires one permit if one is free now. Blocks for one round trip. */
    default Optional<Lease> tryAcquire() {
        return permits(1).tryAcquire();
    }

    /** Returns how many permits there are, as this object knows it. */
    int total();

    /**
     * Returns how many permits nobody holds. Blocks for one round trip.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int available();

    /**
     * Changes the number of permits for everybody, for good. Nobody loses what is held; those who wait for more than there
     * are then fail with {@link ClaimRefusedException}. Semaphores made with another number are refused from then on. Blocks
     * for one round trip.
     *
     * @param permits how many there are to be, at least 1
     * @throws StoreUnavailableException if the store did not answer in time
     */
    void resize(int permits);
}
