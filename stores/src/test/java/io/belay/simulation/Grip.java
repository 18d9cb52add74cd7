package io.belay.simulation;

import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Holds;
import io.belay.spi.ClaimId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease that a user has. */
final class Grip {
    final Attempt attempt;
    final Lease lease;
    final int weight;
    /** Its lease, in nanoseconds. */
    final long term;

    final ClaimId claim;
    final long token;
    final long since;
    /** Its user has begun to give it back. */
    boolean givenBack;

    /** Another lease is being made of it. */
    boolean changing;

    boolean lost;
    /** It was seen to be lost or given back for good, whatever it says afterwards. */
    boolean over;

    /** By its machine's clock, when it ends by itself at the earliest and at the latest; the greatest number for never. */
    long notBefore = Long.MAX_VALUE;

    long notAfter = Long.MAX_VALUE;
    /** When it is to end at the earliest once the move of its end that was begun last is made. */
    long movesTo;
    /** Since when it is being moved; the greatest number if it is not. */
    long moving = Long.MAX_VALUE;
    /** Its ends before that, or the later one where nobody knows whether it was moved. */
    long formerBefore;

    long formerAfter;
    /** Since when nobody knows that, as the store said nothing; the greatest number if it did. */
    long unanswered = Long.MAX_VALUE;

    /** The store has had the time to hear for how long it is to stay taken. */
    boolean settled;

    /** Until when it is kept after its release, by true time; 0 if it is not. */
    long keptUntil;

    /** Until when it lasts by its machine's clock, as it was last seen, and since when, by true time, it was seen so. */
    long deadline;

    long moved;

    /** Its thread was told by a view that it is lost. */
    boolean toldLost;

    @Nullable
    ReleaseOutcome outcome;

    /** When it was acquired, by its machine's clock; what becomes of it keeps that. */
    long acquired;

    /** When the last of its listeners was added. */
    long listened;

    /** It was made of another one. */
    boolean changed;

    /** Somebody else may give it back. */
    boolean handedOn;
    /** Whether a courier may have given it back by its ticket. */
    boolean returned;

    /** How often each of its listeners was told. */
    final List<int[]> told = new ArrayList<>(0);

    Grip(Attempt attempt, Lease lease, int weight, long term, long since) {
        this.attempt = attempt;
        this.lease = lease;
        this.weight = weight;
        this.term = term;
        this.since = since;
        token = lease.token();
        claim = Holds.claim(lease);
        acquired = Holds.acquired(lease);
    }

    @Override
    public String toString() {
        return attempt.site + " (" + attempt.actor.name + ", token " + token + ")";
    }

    /** Whether there may be another handle for it, or for a part of it, which its user has not got yet. */
    boolean mayBecomeAnother() {
        return changing || (givenBack && outcome == null && weight > 1);
    }
}
