package io.belay.document;

import io.belay.document.States.State;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What this client asks of one resource, and what it has there. One thread at a time works on it; what is asked meanwhile
 * waits, and is done together. What is asked is guarded by
 * the lock of {@link Lanes}, and what is known is that thread's.
 */
final class Lane {
    final String resource;

    final Deque<Pending> pending = new ArrayDeque<>(2);
    /** Whether it is to be looked at, though nobody asks. */
    boolean look;
    /** Whether a thread works on it, or it stands in the queue for one. */
    boolean taken;

    /** When to look by itself, as a {@link System#nanoTime()}; 0 for never. */
    long lookAt;

    /** Its own claims, as far as their owners were told. */
    final OwnClaims own;
    /** How it was when it was last seen, and how often in a row that was the same. */
    @Nullable
    State seen;

    int unchanged;

    /** How often in a row others were quicker. */
    int failures;

    /** Whether it could not be done, so that others are not to be done in one step with it. */
    boolean apart;

    Lane(String resource, long client) {
        this.resource = resource;
        own = new OwnClaims(resource, client);
    }
}
