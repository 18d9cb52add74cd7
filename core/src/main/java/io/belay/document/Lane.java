package io.belay.document;

import io.belay.document.States.State;
import io.belay.spi.Moment;
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
    /** How it was when it was last seen. */
    @Nullable
    State seen;

    /** What mattered to its own claims then, and how often in a row that was the same. */
    int news;

    int unchanged;

    /** How often in a row others were quicker. */
    int failures;

    /** The database's clock when it was read last, in microseconds, and an instant before that. */
    long readTime;

    Moment readAt = Moment.now();

    /** The version by which this client has reserved it; 0 if it has not. */
    long reserved;

    /** Whether it is left alone for a moment, whatever is asked. */
    boolean paused;

    /** Whether it could not be done, so that others are not to be done in one step with it. */
    boolean apart;

    Lane(String resource, long client) {
        this.resource = resource;
        own = new OwnClaims(resource, client);
    }
}
