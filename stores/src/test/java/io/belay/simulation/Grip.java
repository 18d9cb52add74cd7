package io.belay.simulation;

import io.belay.Lease;
import io.belay.Release;
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
    /** Whether it ends only by release or by some fault. */
    final boolean renewed;
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

    /** Its thread was told by a view that it is lost. */
    boolean toldLost;

    @Nullable
    Release outcome;

    /** How often each of its listeners was told. */
    final List<int[]> told = new ArrayList<>(0);

    Grip(Attempt attempt, Lease lease, int weight, boolean renewed, long term, long since) {
        this.attempt = attempt;
        this.lease = lease;
        this.weight = weight;
        this.renewed = renewed;
        this.term = term;
        this.since = since;
        token = lease.token();
        claim = Holds.claim(lease);
    }

    @Override
    public String toString() {
        return attempt.site + " (" + attempt.actor.name + ", token " + token + ")";
    }
}
