package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The weight of a claim, and the changes of its weight and its end that are on their way, one after the other.
 *
 * <p>An owner who asks for less weight counts on no more from then on; one who asks for more counts on it once an answer shows that
 * the change was made. A change that was told to be refused may have been made all the same, when it was sent twice: it is then
 * undone. One change of the weight is under way at a time: of two that name the same number of earlier changes nobody could tell
 * which was made.
 *
 * <p>Each request for another end names more changes than all before it, so that of two on their way the later one counts, whichever
 * comes first; an answer that knows of as many has seen the last one. Of a claim that was given back and is to stay taken the end is
 * made first: whatever was asked for before is void then. The weight that its owner had follows, where the store may have made
 * another one.
 */
final class Changes<T> {
    /** The weight that the claim's owner may count on. */
    int weight;

    private int asked;
    /** How many changes the store has made. */
    int made;

    /** Whether a request for another weight is to be sent, or sent again. */
    boolean weightIsPending;

    /** The claim's sequence when the weight was asked for: of another one the store changes nothing. */
    private long askedOf;

    /** The weight that was asked for last. */
    private int wanted;

    /** The end that is asked for, by the local clock. */
    private long end;
    /** True from the first request for an end until its answer, or that of a later one. */
    boolean endIsSent;

    /** The number of changes that an answer knows of which has seen a request for that end. */
    int number;

    /** The last request that was sent before it was heard that so many were made: its answer may know of fewer. */
    private int learned;

    /** The least weight that it had, or may have; more than any if that was never changed. */
    private int least = Integer.MAX_VALUE;

    /** Those who wait for the answer; null while no end is asked for. */
    @Nullable
    List<T> waiting;

    Changes(int weight, int made) {
        this.weight = weight;
        this.made = made;
        asked = weight;
        wanted = weight;
    }

    /** Asks for another weight; returns whether that is to be sent, as none is under way. */
    boolean reweight(int newWeight) {
        boolean first = !weightIsPending;
        weight = Math.min(weight, newWeight);
        least = Math.min(least, weight);
        wanted = newWeight;
        asked = first ? wanted : asked;
        weightIsPending = true;
        return first;
    }

    /** Asks for another end; who waits is told why it was refused, or nothing. */
    void fix(long newEnd, @Nullable T ticket) {
        end = newEnd;
        number++;
        waiting = waiting == null ? new ArrayList<>(1) : waiting;
        if (ticket != null) {
            waiting.add(ticket);
        }
    }

    boolean isPending() {
        return weightIsPending || waiting != null;
    }

    /** Returns whether the store may have answered that request before it made the last change. */
    boolean mayBeUnknownTo(int request) {
        return isPending() || request <= learned;
    }

    /** Returns whether the answer to that request shows that the store has gone back to before a change that it had made. */
    boolean isUndone(Answer answer, int request) {
        return answer.reweights() < made && request > learned;
    }

    /** Returns whether a store that has gone back may know a lesser weight: others may be let in beside it. */
    boolean isRaised() {
        return weight > least;
    }

    /** Asks a store that has gone back for the weight anew, if that was ever changed. */
    void askAnew(int known) {
        if (!weightIsPending) {
            made = known;
            if (least != Integer.MAX_VALUE) {
                reweight(weight);
            }
        }
    }

    /** Notes how many requests were sent by now, if more changes are known to be made than before. */
    void learn(int before, int requests) {
        learned = made > before ? requests : learned;
    }

    /** Returns whether the end that is asked for has passed. */
    boolean isOver(long now) {
        return end - now <= 0;
    }

    /** Takes notice of how many changes of the weight may be made before, until the request for an end is sent. */
    void follow() {
        if (!endIsSent && waiting != null) {
            number = Math.max(number, (weightIsPending || asked != weight ? made + 1 : made) + 1);
        }
    }

    /** Has the end made first, and then, if another one was asked for, the weight that the claim's owner could count on. */
    void endFirst() {
        asked = weight;
        follow();
        endIsSent = true;
    }

    /** Returns the lease from now to that end, in microseconds. */
    long lease(long now) {
        return Math.max(1, (end - now + 999) / 1000);
    }

    /** Returns the request for the change that is to be made first, or is under way; null if there is none. */
    @Nullable
    Request request(String resource, ClaimId id, long sequence, long now) {
        follow();
        if (waiting != null && (endIsSent ? made < number : !weightIsPending)) {
            endIsSent = true;
            // Of the lease from now: the end stays where it is, however late this is sent.
            return Request.Fix.of(resource, id, sequence, number - 1, lease(now));
        }
        askedOf = sequence;
        return weightIsPending ? Request.Reweight.of(resource, id, sequence, made, asked) : null;
    }

    /** Returns whether the answer has seen the last request for an end. */
    boolean isEndSeen(Answer answer) {
        return endIsSent && answer.reweights() >= number;
    }

    /** Takes an answer about a claim whose end is made first; returns whether it has seen that, and the weight if one follows. */
    boolean takeMade(Answer answer) {
        made = Math.max(made, answer.reweights());
        weightIsPending &= made <= number;
        return isEndSeen(answer) && !weightIsPending;
    }

    /** Ends the wait for an answer to the request for an end, which knows of so many changes: those who wait were told. */
    void settleEnd(int seen) {
        made = Math.max(made, seen);
        waiting = null;
        endIsSent = false;
        if (asked != weight && !weightIsPending) {
            reweight(weight); // the one that was refused may have been made: the end's answer has counted that, too
        }
    }

    /**
     * Takes an answer about the weight; tells whether the last change of it was made, or refused, as soon as that is known.
     *
     * @return whether another change is to be asked for, also while an answer to the one before may come again
     */
    boolean settleWeight(Answer answer, boolean toThis, Consumer<Boolean> told) {
        boolean isMade = answer.reweights() > made;
        boolean known = weightIsPending;
        if (!isMade && !(known && toThis)) {
            return false;
        }
        if (!isMade && answer.sequence() != askedOf) {
            return true; // a fresh one was on its way when it was asked for: nothing was refused
        }
        if (known && wanted == asked) {
            told.accept(isMade); // first: what fails is done again, at the next answer
        }
        made = Math.max(made, answer.reweights());
        weightIsPending = false;
        weight = known && isMade ? asked : weight;
        int next = known ? wanted : weight;
        if (next != asked) {
            reweight(next);
        }
        return weightIsPending;
    }
}
