package io.belay.redis;

import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The enters that are not answered yet, each with the connection that it goes over. A server runs what comes over one
 * connection in its order: a leave that is written behind its enter cannot be overtaken by it, so the server need not
 * remember that the claim has ended. Some members of a quorum always answer an enter after the lock was given back.
 * Thread-safe.
 */
final class Enters {
    /** The way of an enter to its server. */
    private static final class Way {
        /** The connection; null for an enter that may have gone over more than one. */
        private final @Nullable Link link;
        /** True once the connection's thread has written the enter; until then it may be in that thread's queue. */
        private volatile boolean written;

        private Way(@Nullable Link link) {
            this.link = link;
        }
    }

    private final ConcurrentHashMap<ClaimId, Way> unanswered = new ConcurrentHashMap<>();

    /** Notes that an enter of that claim goes over that connection now; the passage is to watch it. */
    ScriptCall.Passage passage(ClaimId id, Link link) {
        Way goes = new Way(link);
        unanswered.merge(id, goes, (before, now) -> before.link == link ? now : new Way(null));
        return new ScriptCall.Passage() {
            private Way way = goes; // used by the connection's thread alone

            @Override
            public void written() {
                way.written = true;
            }

            /** Returns whether the enter, which was not run, may be sent again: not behind its leave. */
            @Override
            public boolean mayRepeat() {
                Way again = new Way(link);
                if (unanswered.replace(id, way, again)) {
                    way = again;
                    return true;
                }
                return unanswered.containsKey(id);
            }
        };
    }

    /** Notes that an enter was answered; or that it failed, and may have been run, or be run yet. */
    void ended(ClaimId id, Link link, boolean answered) {
        unanswered.computeIfPresent(id, (same, way) -> !answered ? new Way(null) : way.link == link ? null : way);
    }

    /**
     * Returns the request as the server is to have it over that connection. What any thread but the connection's own
     * sends is written behind what was sent before; that one writes at once, before what waits in its queue.
     */
    Request over(Link link, Request request) {
        if (request instanceof Request.Leave leave) {
            Way way = unanswered.remove(leave.id());
            if (leave.unclear() && way != null && way.link == link && (way.written || !link.isWriter())) {
                return Request.Leave.of(leave.resource(), leave.id(), false);
            }
        }
        return request;
    }
}
