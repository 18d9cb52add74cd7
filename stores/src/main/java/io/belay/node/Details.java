package io.belay.node;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import java.util.Objects;

/**
 * The content of a claim's node: what it says of the claim besides its name. Times and leases are in microseconds. Its
 * owner has no lease, by which people would be told when it was renewed last: a node does not know that.
 *
 * @param weight how much of the capacity the claim takes
 * @param reweights how many changes of its weight or of its end it has seen
 * @param marked whether its owner has noted that it was granted, for those behind it
 * @param sticky whether its owner keeps it until somebody else wants the resource
 * @param lease the lease that is renewed
 * @param fixedLease its fixed lease, or 0
 * @param entered when it entered, by the wall clock of its client; for people only
 * @param localWaiters how many waiters stood behind it inside its client
 * @param owner who entered it, or has it now
 */
public record Details(
        int weight,
        int reweights,
        boolean marked,
        boolean sticky,
        long lease,
        long fixedLease,
        long entered,
        int localWaiters,
        Owner owner) {
    private static final Owner UNKNOWN = Owner.of("", "", 0, "");

    public Details {
        owner = Objects.requireNonNull(owner, "owner").withLease(0);
    }

    static Details of(Request.Enter request) {
        ClaimSpec spec = request.spec();
        return new Details(
                spec.weight(),
                0,
                false,
                spec.sticky(),
                spec.lease(),
                spec.fixedLease(),
                System.currentTimeMillis() * 1000,
                request.localWaiters(),
                request.owner());
    }

    /** Returns what is known of a node whose name alone was read. */
    public static Details ofWeight(int weight) {
        return new Details(weight, 0, false, false, 0, 0, 0, 0, UNKNOWN);
    }

    Details reweighted(int newWeight, int count) {
        return new Details(newWeight, count, marked, sticky, lease, fixedLease, entered, localWaiters, owner);
    }

    /** Returns the same details of a claim whose end is fixed. */
    Details fixed(long length, int count) {
        return new Details(weight, count, marked, sticky, lease, length, entered, localWaiters, owner);
    }

    Details mark() {
        return new Details(weight, reweights, true, sticky, lease, fixedLease, entered, localWaiters, owner);
    }

    Details waiting(int waiters) {
        return new Details(weight, reweights, marked, sticky, lease, fixedLease, entered, waiters, owner);
    }

    Details ownedBy(Owner now) {
        return new Details(weight, reweights, marked, sticky, lease, fixedLease, entered, localWaiters, now);
    }

    /** Returns the same details of a claim that lets others in: since when it was held is not told of its next hold. */
    Details unmarked(int waiters) {
        Owner next = owner.withSince(0);
        return new Details(weight, reweights, false, sticky, lease, fixedLease, entered, waiters, next);
    }
}
