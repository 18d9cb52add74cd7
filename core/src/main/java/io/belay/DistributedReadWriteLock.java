package io.belay;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A lock that many readers may hold at once, or one writer alone, among all processes that use the same store and name.
 * First come, first served: later readers do not overtake a waiting writer, and a writer does not make readers wait for
 * longer than its turn, so neither starves. The readers of one client share a claim for a {@linkplain LockOptions#slice()
 * slice}, after which later ones queue up anew.
 *
 * <p>{@link Belay#lock} of the same name is the write lock.
 *
 * <p>It is not reentrant and not owned by threads; {@link Belay#reentrantReadWriteLock} is. A caller who holds the read lock
 * and waits for the write lock waits for itself: use {@link #tryUpgrade}.
 *
 * <p>Thread-safe; holds nothing by itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface DistributedReadWriteLock {
    /** Returns the lock's full name, namespaces included. */
    String name();

    /**
     * Returns the readers' lock. Its tokens are greater than earlier writers' tokens, and lower than later ones', but for holds that
     * were {@linkplain #downgrade downgraded} or {@linkplain #tryUpgrade upgraded}, which keep theirs.
     */
    DistributedLock readLock();

    /** Returns the writers' lock. */
    DistributedLock writeLock();

    /**
     * Turns a hold of the write lock into one of the read lock, in one step: nobody else writes in between, and the readers
     * that wait are granted at once. Does not block.
     *
     * @param writeLease what is held; over afterwards, its {@code onLost} too
     * @return the hold of the read lock, with the same token
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the lease is not one of this client's for this lock
     */
    @CheckReturnValue
    Lease downgrade(Lease writeLease);

    /**
     * Turns a hold of the read lock into one of the write lock, if its holder is the only one; others that wait do not
     * matter. Blocks for one round trip.
     *
     * <p>The token stays what it was, and readers that came later and are gone had greater ones: a guard that readers
     * raise, too, may refuse it.
     *
     * @param readLease what is held; over afterwards if it worked, and unchanged if not
     * @return the hold of the write lock; empty if others hold the read lock too, or if the lease is lost
     * @throws StoreUnavailableException if the store did not answer in time; the lease is then a reader's, and nobody else may
     *     join it
     * @throws IllegalArgumentException if the lease is not one of this client's for this lock
     */
    @CheckReturnValue
    Optional<Lease> tryUpgrade(Lease readLease);

    /**
     * Does the same as {@link #tryUpgrade}, without blocking. The future fails with the same exceptions; its dependents run on the
     * client's callback executor. Cancelling it, or completing it in any other way, gives the upgrade up: the lease stays a reader's, or,
     * where the store had upgraded it just then, is given back.
     *
     * @param readLease as for {@link #tryUpgrade}
     */
    @CheckReturnValue
    CompletableFuture<Optional<Lease>> tryUpgradeAsync(Lease readLease);
}
