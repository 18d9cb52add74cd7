package io.belay.internal;

/** Whose a {@link LiveClaim} is; called under the claim's lock unless said otherwise. */
interface ClaimOwner {
    /** The claim's belief changed. */
    void changed(LiveClaim claim, Belief before, long now);

    /** A change of its weight was made, or refused. */
    default void reweighted(LiveClaim claim, boolean made, long now) {}

    /** The connection was lost and is there again. */
    default void reconnected() {}

    /** The client closes: its claim is to be left. Called without the lock. */
    void close();

    /** Whether a client that drains waits for its claim to be left. */
    default boolean isWaitedFor() {
        return true;
    }

    /** How many waiters stand behind the claim, to be shown by {@code inspect}. */
    int localWaiters();
}
