package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/**
 * The weight of a claim, and the change of it that is on its way. An owner who asks for less counts on no more from
 * then on; one who asks for more counts on it once an answer shows that the change was made. A change that was told
 * to be refused may have been made all the same, when it was sent twice: it is then undone. One change is under way
 * at a time: of two that name the same number of earlier changes nobody could tell which was made.
 */
final class Reweighting {
    private int weight;
    private int made;
    private int asked;
    private boolean pending;
    /** The weight to be asked for next, or 0. */
    private int next;

    Reweighting(int weight) {
        this.weight = weight;
        asked = weight;
    }

    void ask(int newWeight) {
        weight = Math.min(weight, newWeight);
        if (pending) {
            next = newWeight;
        } else {
            asked = newWeight;
            pending = true;
        }
    }

    /** Returns the weight that the claim's owner may count on. */
    int weight() {
        return weight;
    }

    /** Returns whether a change is to be sent, or sent again. */
    boolean isPending() {
        return pending;
    }

    /** Returns how many changes are made at most, with the one that is not answered. */
    int mayBeMade() {
        return pending ? made + 1 : made;
    }

    /** Notes that other changes were made, while none of these was on its way. */
    void skip(int changes) {
        made = Math.max(made, changes);
    }

    Request.Reweight request(String resource, ClaimId id, long sequence) {
        return Request.Reweight.of(resource, id, sequence, made, asked);
    }

    /** Returns true if the answer shows that the last change was made, false if it was refused, null if neither. */
    @Nullable
    Boolean answered(Answer answer, boolean toThis) {
        boolean known = pending;
        if (answer.reweights() > made) {
            made = answer.reweights();
            pending = false;
            if (known) {
                weight = asked;
                return followedBy(true);
            }
            if (weight != asked) {
                ask(weight);
            }
        } else if (pending && toThis) {
            pending = false;
            return followedBy(false);
        }
        return null;
    }

    private @Nullable Boolean followedBy(boolean outcome) {
        if (next == 0) {
            return outcome;
        }
        int following = next;
        next = 0;
        ask(following);
        return null;
    }
}
