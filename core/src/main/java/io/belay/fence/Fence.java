package io.belay.fence;

import io.belay.Lease;
import java.util.Collection;
import java.util.List;

/**
 * A guard of some data: it keeps the highest fencing token that has been used of each lock, and refuses lower ones. A holder
 * whose lease ended without its noticing is thus kept from writing over its successor. The lock may be in any store, the fence
 * is where the data is.
 *
 * <pre>{@code
 * W writer = fence.raise(lease);   // before anything is read
 * int left = read();
 * writer.write(left - 1);          // refused if a later holder has raised the fence
 * }</pre>
 *
 * <ol>
 *   <li><b>Raise before you read.</b> What was read before is not guarded: an earlier holder may still have written.
 *   <li><b>What is lower is refused</b>, by a {@link StaleTokenException}; the same token may come as often as it likes.
 *   <li><b>Write by what {@code raise} returned.</b> It compares and writes in one step, so that nobody comes between.
 *   <li><b>Raise several locks in one call</b>, where the data is guarded by more than one.
 * </ol>
 *
 * <p>Fences are for locks that one holder at a time has: locks, writers, leaders. Readers and holders of permits are side by
 * side, and their tokens say nothing of who may write; their leases are refused by an {@link IllegalArgumentException}.
 *
 * <p>A fence is thread-safe unless it says otherwise, and blocks as its database or file system does. Others may implement it,
 * for data of their own; methods that are added have a default.
 *
 * @param <W> by what is written while the fence stands
 * @param <E> what the database or file system throws where it fails, and does not refuse
 */
public interface Fence<W, E extends Exception> {
    /**
     * Raises the fence of a lock to the token of its lease. Earlier holders are refused from then on.
     *
     * @return by what to write
     * @throws StaleTokenException if a later holder has raised the fence
     * @throws IllegalArgumentException if others may hold the lock at the same time
     */
    default W raise(Lease lease) throws E {
        return raiseTo(List.of(FencingToken.of(lease)));
    }

    /**
     * Raises the fences of several locks.
     *
     * @param leases one of each lock; of a {@code MultiLock} those that its lease has
     * @return by what to write; it refuses if a later holder of any of them has raised its fence
     * @throws StaleTokenException if a later holder of one of them has raised its fence
     * @throws IllegalArgumentException if there is none, or others may hold one of the locks at the same time
     */
    default W raise(Collection<? extends Lease> leases) throws E {
        return raiseTo(FencingToken.allOf(leases));
    }

    /**
     * Raises fences to tokens that were handed on, as by a {@link FencingTokenHeader}.
     *
     * @param tokens one of each lock, in any order
     * @return by what to write
     * @throws StaleTokenException if one of the fences stands higher
     * @throws IllegalArgumentException if there is none, or two of one lock
     */
    W raiseTo(Collection<FencingToken> tokens) throws E;

    /**
     * Lets any token of a lock in again, for when tokens went back: the lock's store was restored from a backup, or the lock
     * has moved to another store. Nobody may hold the lock then, as the fence does not refuse holders of old.
     *
     * @param lock its full name, see {@link Lease#name()}
     */
    void reset(String lock) throws E;
}
