package io.belay.spi;

/**
 * The terms on which a claim enters; leases in microseconds.
 *
 * @param capacity the capacity that the client takes the resource to have
 * @param weight how much of it the claim takes
 * @param lease the lease while it waits, and while it is held unless {@code hold} is given
 * @param hold an explicit lease, or 0
 * @param ifFree whether to enter only if granted at once
 * @param sticky whether its owner is to be told, once it is granted, when another wants the resource
 */
public record ClaimSpec(int capacity, int weight, long lease, long hold, boolean ifFree, boolean sticky) {
    /** Makes the terms of a claim that waits its turn, and is renewed. */
    public static ClaimSpec of(int capacity, int weight, long lease) {
        return new ClaimSpec(capacity, weight, lease, 0, false, false);
    }

    /** Makes the terms of a claim that takes the whole resource, waits its turn, and is renewed. */
    public static ClaimSpec whole(long lease) {
        return of(Resource.WHOLE, Resource.WHOLE, lease);
    }

    /** Returns the same terms with an explicit lease, or 0 for a claim that is renewed. */
    public ClaimSpec withHold(long fixedLease) {
        return new ClaimSpec(capacity, weight, lease, fixedLease, ifFree, sticky);
    }

    /** Returns the same terms, with whether to enter only if granted at once. */
    public ClaimSpec withIfFree(boolean onlyThen) {
        return new ClaimSpec(capacity, weight, lease, hold, onlyThen, sticky);
    }

    /** Returns the same terms, with whether the owner is to be told when another wants the resource. */
    public ClaimSpec withSticky(boolean isSticky) {
        return new ClaimSpec(capacity, weight, lease, hold, ifFree, isSticky);
    }
}
