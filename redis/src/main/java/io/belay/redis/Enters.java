package io.belay.redis;

import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The enters that are not answered yet, each with the connection that it was written to. A server runs what comes over
 * one connection in its order: a leave that is written behind its enter cannot be overtaken by it, so the server need
 * not remember that the claim has ended. Some members of a quorum always answer an enter after the lock was given
 * back. Thread-safe.
 */
final class Enters {
    /** The mark, in the place of a connection, of an enter that may have been written to more than one. */
    private static final Object SEVERAL = new Object();

    private final ConcurrentHashMap<ClaimId, Object> unanswered = new ConcurrentHashMap<>();

    /** Watches an enter of that claim go out over that connection. */
    ScriptCall.Passage passage(ClaimId id, Link link) {
        return new ScriptCall.Passage() {
            @Override
            public void written() {
                unanswered.merge(id, link, (before, now) -> before == now ? now : SEVERAL);
            }

            /** Returns whether the enter, which was not run, may be sent again: not behind its leave. */
            @Override
            public boolean mayRepeat() {
                Object last = unanswered.get(id);
                return last == link ? unanswered.remove(id, link) : last == SEVERAL;
            }
        };
    }

    /** Notes that an enter was answered; or that it failed, and may have been run, or be run yet. */
    void ended(ClaimId id, Link link, boolean answered) {
        if (answered) {
            unanswered.remove(id, link);
        } else {
            unanswered.computeIfPresent(id, (same, before) -> SEVERAL);
        }
    }

    /** Returns the request as the server is to have it over that connection. */
    Request over(Link link, Request request) {
        return request instanceof Request.Leave leave && unanswered.remove(leave.id()) == link && leave.unclear()
                ? new Request.Leave(leave.resource(), leave.id(), false)
                : request;
    }
}
