package io.belay.quorum;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The held claims whose ends are fixed, by their ends: who fixed one may not speak of it again. They are looked at when
 * another claim enters, and so take no timer.
 *
 * @param <C> the kind of claims
 */
final class FixedClaims<C> {
    private final Map<C, Ending<C>> known = new HashMap<>();
    private final TreeSet<Ending<C>> inOrder =
            new TreeSet<>(Comparator.<Ending<C>>comparingLong(Ending::deadline).thenComparingLong(Ending::number));
    private long numbers;

    private record Ending<C>(long deadline, long number, C claim) {}

    /** Notes a claim with its present end. */
    void put(C claim, long deadline) {
        remove(claim);
        Ending<C> ending = new Ending<>(deadline, ++numbers, claim);
        known.put(claim, ending);
        inOrder.add(ending);
    }

    void remove(@Nullable C claim) {
        Ending<C> before = known.remove(claim);
        if (before != null) {
            inOrder.remove(before);
        }
    }

    /** Takes out a claim that has ended by then, as far as is noted; null if there is none. */
    @Nullable
    C next(long now) {
        if (inOrder.isEmpty() || inOrder.first().deadline > now) {
            return null;
        }
        C ended = inOrder.first().claim;
        remove(ended);
        return ended;
    }
}
