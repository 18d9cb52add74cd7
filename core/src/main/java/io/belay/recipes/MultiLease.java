package io.belay.recipes;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The hold of several locks at once, until it is released or one of them is lost. It is held while all of them are;
 * {@link #onLost} tells of the first that is lost, and the others stay held until the whole is released.
 *
 * <p>It has no fencing token: each lock has one of its own, which its lease in {@link #leases()} tells. Thread-safe.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface MultiLease extends AutoCloseable {
    /** Returns the names of all locks, joined by " + ". */
    String name();

    /** Returns the hold of each lock, in the order in which they were taken. */
    List<Lease> leases();

    /** Returns whether all are held, as far as this process can know. Does not block. */
    boolean isHeld();

    /** Returns for how long all are held yet if nothing is renewed; zero once one is lost. Does not block. */
    Duration remaining();

    /**
     * Does nothing while all are held; where a clock leaves that open, asks the store and waits for its answer.
     *
     * @throws LeaseLostException if one was lost, or released
     */
    void ensureHeld();

    /**
     * Has the listener called when the first of the locks is lost, on a thread of Belay's own; at once, if that was before.
     *
     * @return this
     */
    MultiLease onLost(Consumer<? super LeaseLostException> listener);

    /**
     * Gives all locks back, all at once, and waits for the outcome; an interrupt is kept for later.
     *
     * @return {@link ReleaseOutcome#RELEASED} if all were released, {@link ReleaseOutcome#ALREADY_LOST} if one had been lost, else
     *     {@link ReleaseOutcome#UNKNOWN}
     */
    ReleaseOutcome release();

    /**
     * Does the same without waiting; the dependents of the future run on the client's callback executor. Cancelling it takes
     * nothing back: the locks are released all the same.
     */
    CompletableFuture<ReleaseOutcome> releaseAsync();

    /** Releases all of them; a release that is not {@link ReleaseOutcome#RELEASED} is logged. */
    @Override
    void close();
}
