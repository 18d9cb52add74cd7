package io.belay.internal.claim;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The moving of a claim's end. Each request names more changes than all before it, so that of two on their way the later one
 * counts, whichever comes first; an answer that knows of as many has seen the last one. Guarded by the owner's lock.
 */
final class Fixing {
    /** The end that is asked for, by the local clock. */
    private long end;
    /** True from the first request until its answer, or that of a later one. */
    private boolean sent;
    /** The number of changes that an answer knows of which has seen a request for that end. */
    private int number;

    private @Nullable CompletableFuture<Optional<String>> asked;

    /** Asks for another end; the future is done with why it was refused, or with nothing. */
    CompletableFuture<Optional<String>> ask(long newEnd) {
        end = newEnd;
        number++;
        CompletableFuture<Optional<String>> waiting = asked;
        if (waiting == null) {
            waiting = new CompletableFuture<>();
            asked = waiting;
        }
        return waiting;
    }

    /** Returns whether a request is to be sent, or sent again. */
    boolean isPending() {
        return asked != null;
    }

    /** Returns whether the end that is asked for has passed. */
    boolean isOver(long now) {
        return end - now <= 0;
    }

    /** Returns whether a request is on its way. */
    boolean isSent() {
        return sent;
    }

    /** Returns the request as of now: the end stays where it is, however late it is sent. */
    Request.Fix request(String resource, Belief belief, long now) {
        sent = true;
        return new Request.Fix(resource, belief.id(), belief.sequence(), number - 1, lease(now));
    }

    /** Takes notice of how many other changes may be made before, until the request is sent. */
    void follow(int changes) {
        number = sent || asked == null ? number : Math.max(number, changes + 1);
    }

    /** Returns what is believed of a claim with a fixed lease from then on, also while the request waits for another change. */
    Belief believed(Belief belief, long now) {
        return belief.fixing(lease(now), number, now);
    }

    private long lease(long now) {
        return Math.max(1, (end - now + 999) / 1000);
    }

    /** Returns whether the answer has seen the last request. */
    boolean isSeen(Answer answer) {
        return sent && answer.reweights() >= number;
    }

    /** Ends the wait for an answer; returns the future to be completed outside the lock, if anybody waits. */
    @Nullable
    CompletableFuture<Optional<String>> settle() {
        CompletableFuture<Optional<String>> waiting = asked;
        asked = null;
        sent = false;
        return waiting;
    }
}
