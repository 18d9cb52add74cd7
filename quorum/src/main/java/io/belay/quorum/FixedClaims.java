package io.belay.quorum;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The held claims whose ends are fixed, by their ends: who fixed one may not speak of it again. They are looked at when
 * another claim enters, and so take no timer.
 */
final class FixedClaims {
    private final Map<QuorumClaim, Ending> known = new HashMap<>();
    private final TreeSet<Ending> inOrder =
            new TreeSet<>(Comparator.comparingLong(Ending::deadline).thenComparingLong(Ending::number));
    private long numbers;

    private record Ending(long deadline, long number, QuorumClaim claim) {}

    /** Notes a claim with its present end, if that is fixed. */
    void put(QuorumClaim claim) {
        remove(claim);
        if (claim.candidacy().isFixed()) {
            Ending ending = new Ending(claim.deadline(), ++numbers, claim);
            known.put(claim, ending);
            inOrder.add(ending);
        }
    }

    void remove(@Nullable QuorumClaim claim) {
        Ending before = known.remove(claim);
        if (before != null) {
            inOrder.remove(before);
        }
    }

    /** Finishes those that have ended by then. */
    void finishEnded(long now) {
        while (!inOrder.isEmpty() && inOrder.first().deadline <= now) {
            QuorumClaim claim = inOrder.first().claim;
            put(claim); // its end may have moved since
            if (claim.deadline() <= now) {
                remove(claim);
                claim.finish();
            }
        }
    }
}
