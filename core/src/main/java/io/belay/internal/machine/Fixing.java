package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moving of a claim's end. Each request names more changes than all before it, so that of two on their way the later one
 * counts, whichever comes first; an answer that knows of as many has seen the last one.
 */
final class Fixing<T> {
    /** The end that is asked for, by the local clock. */
    private long end;
    /** True from the first request until its answer, or that of a later one. */
    private boolean sent;
    /** The number of changes that an answer knows of which has seen a request for that end. */
    private int number;
    /** Those who wait for the answer; null while nothing is asked for. */
    private @Nullable List<T> asked;

    /** Asks for another end; who waits is told why it was refused, or nothing. */
    void ask(long newEnd, @Nullable T ticket) {
        end = newEnd;
        number++;
        List<T> waiting = asked == null ? new ArrayList<>(1) : asked;
        if (ticket != null) {
            waiting.add(ticket);
        }
        asked = waiting;
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

    int number() {
        return number;
    }

    /** Returns the request as of now: the end stays where it is, however late it is sent. */
    Request.Fix request(String resource, ClaimId id, long sequence, long now) {
        sent = true;
        return Request.Fix.of(resource, id, sequence, number - 1, lease(now));
    }

    /** Takes notice of how many other changes may be made before, until the request is sent. */
    void follow(int changes) {
        number = sent || asked == null ? number : Math.max(number, changes + 1);
    }

    /** Returns the lease from now to that end, in microseconds. */
    long lease(long now) {
        return Math.max(1, (end - now + 999) / 1000);
    }

    /** Returns whether the answer has seen the last request. */
    boolean isSeen(Answer answer) {
        return sent && answer.reweights() >= number;
    }

    /** Ends the wait for an answer; returns those who are to be told. */
    List<T> settle() {
        List<T> waiting = asked;
        asked = null;
        sent = false;
        return waiting == null ? List.of() : waiting;
    }
}
