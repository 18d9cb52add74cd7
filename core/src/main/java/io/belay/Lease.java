package io.belay;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lock that is held: the right to it, for a bounded time that is renewed in the background unless the lock was asked
 * for with a {@linkplain LockOptions#fixedLease() fixed lease}.
 *
 * <p>Thread-safe; any thread may release it. Nothing here blocks but {@link #release()}, {@link #releaseAfter} and {@link #close()},
 * which wait for the store's answer when nobody in this client takes over, {@link #extend}, and after a suspension
 * {@link #ensureHeld()}.
 *
 * <p>Only Belay implements this; methods may be added. Who must wrap a lease extends {@link
 * ForwardingLease}.
 */
public interface Lease extends AutoCloseable {
    /** Returns the lock's full name. */
    String name();

    /**
     * Returns the fencing token: greater than that of every earlier holder of this lock, where one at a time holds it and the store
     * has not gone back to an earlier state. Give it to a guard at the
     * resource, a {@code Fence} of the package {@code io.belay.fence}, so that a holder whose lease ended without its noticing cannot write over its successor (Kleppmann,
     * "How to do distributed locking", 2016). The token of a lease never changes, also when the lease is lost.
     *
     * <p>Tokens are compared, and never computed with: which of two is greater means something, how much greater means
     * nothing, and the next one is not this one plus one. Those of different locks, or stores, do not compare.
     */
    long token();

    /**
     * Returns in which way the lock is held: alone, or beside others. It changes for a writer that goes on as a reader. Makes no
     * store call.
     */
    LockMode mode();

    /**
     * Returns how many replicas of the store had confirmed the grant or its last renewal; 0 until the first answer. A
     * lock is granted even if fewer have it than the store's URL asks for ({@code replicas=}), and may then be
     * granted again by a replica that takes over; a renewal that fewer have does not lengthen the lease. Makes no
     * store call.
     *
     * @return empty where the URL asks for none
     */
    OptionalInt replicas();

    /**
     * Returns whether the lease still runs, by the local monotonic clock and with the drift margin taken off. Once
     * the answer was no because the lease is lost or released, it is never yes again. It may be no for a moment when
     * the machine was suspended, until a renewal is answered. Makes no store call.
     */
    boolean isHeld();

    /** Returns how long the lease still runs unless renewed; zero when it is lost or released. Makes no store call. */
    Duration remaining();

    /**
     * Throws unless the lease is held. Makes no store call, but where the machine may have been suspended: then it waits
     * for the store's word, at most for the request timeout.
     *
     * @throws LeaseLostException if the lease is lost or released, or if the store did not say whether it is
     */
    void ensureHeld();

    /**
     * Calls the listener once if the lease is lost: at its deadline at the latest, whether or not the store can be
     * reached. It is never called for a lease that was released in time. A listener added after the loss is called at
     * once. It runs on one of a few threads that the client has for this alone; one that blocks there keeps others from
     * being told. What it throws is logged.
     *
     * @param listener is told what was lost and why
     * @return this lease
     */
    Lease onLost(Consumer<? super LeaseLostException> listener);

    /**
     * Gives the lock back. Blocks for one round trip, and not at all when another waiter of this client takes over;
     * while the store does not answer it blocks for at most twice the request timeout. An interrupt is kept for later.
     * To release again does nothing and returns the first outcome.
     *
     * @return what became of it
     */
    ReleaseOutcome release();

    /**
     * Does the same as {@link #release()}, without waiting for the store: faster, for callers that have no use for
     * the outcome before the next step. From the call on the lease is not held; the lock is free for others once the
     * store has the message, and if this process dies before, when the lease ends.
     *
     * @return what became of it; its dependents run on the client's callback executor, but at once where that is known
     *     already. Cancelling it takes nothing back: the lock is released all the same
     */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /**
     * Gives the lock back, but keeps others from having it until that much time is over: nobody gets it before, waiters of
     * this client included, whether or not this client is closed or its process dies. From the call on the lease is not
     * held. Where several readers of this client share the lock it is kept by the client until the last of them has given
     * it back. A store may refuse to keep it for so long, as a quorum does beyond its {@code longest-lease}: then it is free at once,
     * which is logged. Blocks for one round trip, like {@link #release()}, also where that would not.
     *
     * @param delay from now on, of at most 365 days; zero or less releases at once
     * @return what became of it; {@link ReleaseOutcome#RELEASED} once the store has it
     * @throws UnsupportedOperationException if the store has no {@linkplain io.belay.spi.Capabilities#leasePerClaim()
     *     leases of a claim's own}, as ZooKeeper
     * @throws IllegalArgumentException if the delay is longer than 365 days; nothing is released then
     */
    ReleaseOutcome releaseAfter(Duration delay);

    /**
     * Moves the end of a {@linkplain LockOptions#fixedLease() fixed lease}, or of the {@linkplain LockOptions#maxHold()
     * longest hold} of a lease that is renewed, which has one from then on: to so long from now, be that earlier or later.
     * An earlier end is believed from the call on, a later one once the store has answered. Blocks for one round trip, for
     * the request timeout at most; an interrupt is kept for later.
     *
     * @param duration the time from now to the new end; at least 10 milliseconds, or 1 if the lease is renewed, and at most 365 days
     * @return how long the lease still runs, as {@link #remaining()} tells it
     * @throws LeaseLostException if the lease is lost or released
     * @throws StoreUnavailableException if the store did not answer in time: then the end may be the new one or the old,
     *     and {@link #remaining()} counts on the earlier of both until it answers
     * @throws LockRefusedException if the store refuses so long a lease, as a quorum may; the end stays where it was
     * @throws IllegalArgumentException if the duration is shorter or longer than that; the end stays where it was
     */
    Duration extend(Duration duration);

    /**
     * Does what {@link #release()} does, for try-with-resources; logs a warning unless it was released, or had ended as it
     * was asked to. Throws nothing.
     */
    @Override
    void close();
}
