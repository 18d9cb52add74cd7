package io.belay.spi;

/**
 * The terms on which a claim enters; leases in microseconds.
 *
 * @param capacity the capacity that the client takes the resource to have
 * @param weight how much of it the claim takes
 * @param lease the lease while it waits, and while it is held unless {@code fixedLease} is given
 * @param fixedLease a lease that is not renewed, or 0
 * @param ifFree whether to enter only if granted at once
 * @param sticky whether its owner is to be told, once it is granted, when another wants the resource
 */
public record ClaimSpec(int capacity, int weight, long lease, long fixedLease, boolean ifFree, boolean sticky) {
    /** Makes the terms of a claim that waits its turn, and is renewed. */
    public static ClaimSpec of(int capacity, int weight, long lease) {
        return new ClaimSpec(capacity, weight, lease, 0, false, false);
    }

    /** Makes the terms of a claim that takes the whole resource, waits its turn, and is renewed. */
    public static ClaimSpec whole(long lease) {
        return of(Resource.WHOLE, Resource.WHOLE, lease);
    }

    /** Returns the same terms with another lease that is renewed. */
    public ClaimSpec withLease(long renewed) {
        return new ClaimSpec(capacity, weight, renewed, fixedLease, ifFree, sticky);
    }

    /** Returns the same terms with a fixed lease, or 0 for a claim that is renewed. */
    public ClaimSpec withFixedLease(long fixed) {
        return new ClaimSpec(capacity, weight, lease, fixed, ifFree, sticky);
    }

    /** Returns the same terms, with whether to enter only if granted at once. */
    public ClaimSpec withIfFree(boolean onlyThen) {
        return new ClaimSpec(capacity, weight, lease, fixedLease, onlyThen, sticky);
    }

    /** Returns the same terms, with whether the owner is to be told when another wants the resource. */
    public ClaimSpec withSticky(boolean isSticky) {
        return new ClaimSpec(capacity, weight, lease, fixedLease, ifFree, isSticky);
    }
}
