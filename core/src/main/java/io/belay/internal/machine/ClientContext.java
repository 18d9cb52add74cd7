package io.belay.internal.machine;

import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;

/** What is the same for all machines of a client, as it stands now. */
public interface ClientContext {
    ClaimId nextClaimId();

    /** Returns who is shown as the one who entered a claim. */
    Owner owner(String thread, String behalf);

    /** Returns after how long a request is sent again that was not answered, in nanoseconds. */
    long requestTimeout();

    /** Returns for how long a missing answer is not held against the store, in nanoseconds. */
    long patience();

    /** Returns for how long a client hands a lock on among its own threads where the user does not say, in nanoseconds. */
    long slice();

    /** Returns what the store can do, as far as is known. */
    Capabilities capabilities();

    /**
     * Returns when to ask next: as wanted, or sooner while no push would tell a waiter that it has the lock, or, if a lease is given,
     * in nanoseconds, one who holds by that and never renews it that the lock was taken away.
     */
    long askNoLaterThan(long wanted, long lastAsked, long lease);

    /** Returns when to send a renewal that falls due at that instant, after a request at the other: a little earlier. */
    long renewTogether(long at, long lastAsked);

    /** Returns the last failure of the store as the end of a sentence; empty if the last request was answered. */
    String lastFailure();

    /** Lets waiters poll until a push comes, as an answer has told what a push should have. */
    void missedAPush();

    /** Notes that a request was not answered in its time. */
    void noteSilence();
}
