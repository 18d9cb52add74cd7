package io.belay.internal.claim;

import org.jspecify.annotations.Nullable;

/** The owner of a {@link LiveClaim}; its methods are called under the claim's lock unless said otherwise. */
public interface ClaimOwner {
    /** Tells the owner that the claim's belief has changed. */
    void changed(LiveClaim claim, Belief before, long now);

    /** Tells the owner that a change of the claim's weight was made, or refused. */
    default void reweighted(LiveClaim claim, boolean made, long now) {}

    /** Tells the owner that the connection was lost and is there again. */
    default void reconnected() {}

    /** Tells the owner that the client lets nobody new in, or has ended, for ever or for a pause. Called without the lock. */
    void clientEnds();

    /** Returns whether a client that drains waits until the owner has left the claim. */
    default boolean isWaitedFor() {
        return true;
    }

    /** Returns who of this client has the lock by the claim now; null if nobody has. */
    @Nullable
    Present present(LiveClaim claim);

    /** Returns the number of waiters that stand behind the claim in this client, to be shown by {@code inspect}. */
    int localWaiters();
}
