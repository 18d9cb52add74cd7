package io.belay;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * An election of one leader at a time among the candidates of all processes that use the same store and name.
 * Candidates are elected in the order in which they began to campaign.
 *
 * <p>A term is a {@link Lease}: it is renewed in the background until the leader resigns by releasing it, its process
 * dies, or {@link LockOptions#maxHold()} is over; a {@linkplain LockOptions#fixedLease() fixed lease} makes terms of a
 * fixed length. {@link Lease#token()} numbers the terms: it rises from term to term, and a guard at whatever the leader
 * controls refuses an earlier one that was paused. {@link Lease#onLost} tells the leader at the deadline that it leads no
 * longer, also while the store cannot be reached.
 *
 * <p>Underneath it is the lock of that name: {@link BelayAdmin#inspect} shows leader and candidates, and
 * {@link BelayAdmin#forceRelease} ends the term.
 *
 * <p>Thread-safe; holds nothing by itself.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface LeaderElection {
    /** Returns the election's full name, namespaces included. */
    String name();

    /**
     * Waits until this candidate leads, however long that takes, also while the store cannot be reached.
     *
     * @return its term
     * @throws InterruptedException if the thread is interrupted before or while it waits; it is no candidate any more
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws StoreUnavailableException if the client is paused
     * @throws DeadlockException if {@link LockOptions#withDeadlock} says so, and the wait is the one to give up
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @CheckReturnValue
    Lease campaign() throws InterruptedException;

    /**
     * Leads if nobody leads now and nobody waits to. Blocks for at most one round trip.
     *
     * @return its term, or empty
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     */
    @CheckReturnValue
    Optional<Lease> tryCampaign();

    /**
     * Campaigns for a limited time.
     *
     * @param wait the longest wait, not negative
     * @return its term, or empty if others led all the while
     * @throws InterruptedException if the thread is interrupted before or while it waits; it is no candidate any more
     * @throws StoreUnavailableException if at the end of the time it is not known whether others lead, because the store
     *     could not be reached
     * @throws ClientClosedException if the client is closed
     * @throws LockRefusedException if the store refuses the claim
     * @throws DeadlockException if {@link LockOptions#withDeadlock} says so, and the wait is the one to give up
     * @throws StoreMisconfiguredException if the store refuses, or the lease is shorter than the way to it
     */
    @CheckReturnValue
    Optional<Lease> tryCampaign(Duration wait) throws InterruptedException;

    /**
     * Does the same as {@link #campaign()}, without blocking. The future fails with the same exceptions; its
     * dependents run on the client's callback executor. Cancelling it ends the candidacy, unless it is done: the term in it is the
     * caller's, and goes on until somebody gives it back.
     */
    @CheckReturnValue
    CompletableFuture<Lease> campaignAsync();

    /**
     * Tells who leads now. Blocks for one round trip. Who has resigned but keeps others from leading, by {@link Lease#releaseAfter}
     * or {@link LockOptions#withAtLeast}, is told as the leader until that time is over.
     *
     * @return the leader, or empty if nobody leads
     * @throws StoreUnavailableException if the store did not answer in time
     * @throws ClientClosedException if the client is closed
     */
    Optional<Leader> leader();

    /**
     * Tells a listener who leads, first now and then whenever that changes; whoever observes never leads by that. A term
     * that began and ended between two looks at the store may be left out, the present one never.
     *
     * <p>Changes are told by a push. Where that is lost, and where a leader's process died or closed its client with no
     * candidate after it, the observer finds out by asking: when the lease of the leader it knows ends, and at each third
     * of its own. Where claims cannot stand side by side, as on a quorum, it only asks.
     *
     * @param listener is given the leader, or empty when nobody leads; runs on the client's callback executor, never twice
     *     at a time, and may block
     * @return ends the observation when it is closed
     * @throws ClientClosedException if the client is closed
     */
    Observation observe(Consumer<? super Optional<Leader>> listener);

    /**
     * The leader of a term: the thread that began to campaign. Two are equal if all that they tell is.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Leader extends Participant {
        /** Returns the term's token, as the leader's {@link Lease#token()} has it. */
        long token();
    }

    /**
     * An observation that goes on until it is closed, or its client is.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Observation extends AutoCloseable {
        /** Ends the observation: no call of the listener begins any more, but one that is beginning at that moment. Does not block. */
        @Override
        void close();
    }
}
