package io.belay;

import java.util.Optional;

/**
 * A number of permits, shared by all processes that use the same store and name. Permits are held as leases: those of
 * a dead process come back when its leases end. A caller that asks for several gets all or none, and callers are
 * served in the order of asking, so a claim for many is not overtaken by claims for few, and two clients that each
 * want all never deadlock.
 *
 * <p>Tokens of permits have no order, unless there is but one permit. Where a store goes back to lower ones, as from a
 * backup, a {@linkplain Belay#lock(String) lock} refuses them, and a semaphore does not notice.
 *
 * <p>Thread-safe; holds nothing by itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface DistributedSemaphore {
    /** Returns the semaphore's full name, namespaces included. */
    String name();

    /**
     * Returns so many permits as one lock, to be acquired as any lock is: waiting, for a time, at once, or without
     * blocking. Whoever has the lease gives all of them back, or {@linkplain #reduceTo some}. A semaphore that was
     * {@linkplain Belay#joinSemaphore(String) joined} may block here for one round trip.
     *
     * @param permits how many, from 1 to all
     * @throws IllegalArgumentException if there are never so many
     * @throws LockRefusedException if the semaphore was joined and nobody uses it
     * @throws StoreUnavailableException if the store was to say how many there are, and did not answer in time
     */
    DistributedLock permits(int permits);

    /**
     * Waits for one permit.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LockRefusedException if others use the name with another number of permits, or the semaphore was joined and nobody
     *     uses it
     * @throws StoreUnavailableException if the client is paused; of one that was joined also if the store was to say how many
     *     there are, and did not answer in time
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    default Lease acquire() throws InterruptedException {
        return permits(1).acquire();
    }

    /**
     * Acquires one permit if one is free now. Blocks for one round trip, and throws what {@link #permits} and
     * {@link DistributedLock#tryAcquire()} do.
     */
    @CheckReturnValue
    default Optional<Lease> tryAcquire() {
        return permits(1).tryAcquire();
    }

    /**
     * Returns how many permits there are, as this object knows it: the number that it was made with, or, if it has joined the
     * semaphore or has resized it, the number that it has last seen in the store. Blocks for one round trip before the first
     * use of one that was joined.
     *
     * @throws LockRefusedException if the semaphore was joined and nobody uses it
     * @throws StoreUnavailableException if the store was to say how many there are, and did not answer in time
     */
    int total();

    /**
     * Returns how many permits nobody holds. Blocks for one round trip.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int available();

    /**
     * Changes the number of permits for everybody, for good. Nobody loses what is held; those who wait for more than there
     * are then fail with {@link LockRefusedException}. Semaphores made with another number are refused from then on; those
     * that were {@linkplain Belay#joinSemaphore(String) joined} or resized learn the new one. Blocks for one round trip.
     *
     * @param permits how many there are to be, at least 1
     * @throws LockRefusedException if the name is in use as something else
     * @throws StoreUnavailableException if the store did not answer in time; it may have been done all the same
     */
    void resize(int permits);

    /**
     * Forgets the number that {@link #resize} has set, if nobody holds permits or waits for some: who uses the name next says
     * anew how many there are. Without that the store keeps it for good. Blocks for one round trip.
     *
     * @return whether it did; false if the number was not set, or is in use
     * @throws StoreUnavailableException if the store did not answer in time; it may have been done all the same
     */
    boolean delete();

    /**
     * Gives back some of the permits of one lease, and keeps the rest, with the same token and the same end. Does not block:
     * others may have the permits once the store has the message.
     *
     * @param lease what is held; over afterwards, its {@code onLost} too
     * @param permits how many are kept: at least 1, and fewer than there were
     * @return the lease of what is kept
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the lease is not one of this client's for this semaphore, or has no more than so many
     */
    @CheckReturnValue
    Lease reduceTo(Lease lease, int permits);

    /**
     * Returns a name for what a lease holds, by which any process can {@linkplain #giveBack give it back}: one line of letters,
     * digits and hyphens. This process goes on to renew the lease; one that hands its permits on ends that by
     * {@link Lease#releaseAfter}, which leaves them taken for as long as the work elsewhere may last. The ticket names the same
     * permits until they are given back, however many {@link #reduceTo} leaves. Makes no store call.
     *
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the lease is not one of this client's for this semaphore
     */
    @CheckReturnValue
    String ticket(Lease lease);

    /**
     * Gives back the permits that a ticket names, whichever process took them, also where they were to {@linkplain
     * LockOptions#atLeast() stay taken}. Another client that still renews them is told of a loss; the lease of this one is
     * released, and its {@code onLost} not called. Blocks for two round trips. Where the store does not answer it is safe to ask again.
     *
     * @param ticket what {@link #ticket} has returned
     * @return {@link ReleaseOutcome#RELEASED}; {@link ReleaseOutcome#ALREADY_LOST} if they are not held any more, as the time is over or
     *     somebody has given them back
     * @throws StoreUnavailableException if the store did not answer in time; they may have been given back
     * @throws IllegalArgumentException if this is no ticket of this semaphore
     */
    ReleaseOutcome giveBack(String ticket);
}
