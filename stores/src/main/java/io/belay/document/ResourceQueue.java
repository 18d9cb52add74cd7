package io.belay.document;

import io.belay.document.States.State;
import io.belay.support.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this client for one resource, and the claims that it has there. One thread at a time works on the
 * resource; what is asked meanwhile waits, and is done together. The lock of {@link ResourceQueues} guards what is asked, and
 * what is known is that thread's.
 */
final class ResourceQueue {
    final String resource;

    final Deque<Operation> pending = new ArrayDeque<>(2);
    /** True if the resource is to be looked at, though nobody asks. */
    boolean look;
    /** True while a thread works on the resource, or it stands in the queue for one. */
    boolean taken;

    /** The alarm by which this client looks without being asked; null if it has none. */
    ResourceQueues.@Nullable Alarm alarm;

    /** The client's own claims, as far as their owners were told. */
    final OwnClaims own;
    /** The resource as it was when it was last seen. */
    @Nullable
    State seen;

    /** The {@link OwnClaims#situation} then, and how often in a row it was the same. */
    int news;

    int unchanged;

    final Contention contention = new Contention();

    /** The database's clock at the last reading, in microseconds, and an instant before that. */
    long readTime;

    Moment readAt = Moment.now();

    /** True while the resource is left alone for a moment, whatever is asked. */
    boolean paused;

    ResourceQueue(String resource, long client) {
        this.resource = resource;
        own = new OwnClaims(resource, client);
    }
}
