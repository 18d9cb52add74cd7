package io.belay.spi;

/** The terms on which a claim enters; leases in microseconds. */
public sealed interface ClaimSpec permits ClaimSpecValue {
    /** Returns the capacity that the client takes the resource to have. */
    int capacity();

    /** Returns how much of it the claim takes. */
    int weight();

    /** Returns the lease while it waits, and while it is held unless {@code fixedLease} is given. */
    long lease();

    /** Returns a lease that is not renewed, or 0. */
    long fixedLease();

    /** Returns whether to enter only if granted at once. */
    boolean ifFree();

    /** Returns whether its owner is to be told, once it is granted, when another wants the resource. */
    boolean sticky();

    /** Makes the terms of a claim that waits its turn, and is renewed. */
    static ClaimSpec of(int capacity, int weight, long lease) {
        return new ClaimSpecValue(capacity, weight, lease, 0, false, false);
    }

    /** Makes the terms of a claim that takes the whole resource, waits its turn, and is renewed. */
    static ClaimSpec whole(long lease) {
        return of(Resource.WHOLE, Resource.WHOLE, lease);
    }

    /** Returns the same terms with another lease that is renewed. */
    default ClaimSpec withLease(long renewed) {
        return new ClaimSpecValue(capacity(), weight(), renewed, fixedLease(), ifFree(), sticky());
    }

    /** Returns the same terms with a fixed lease, or 0 for a claim that is renewed. */
    default ClaimSpec withFixedLease(long fixed) {
        return new ClaimSpecValue(capacity(), weight(), lease(), fixed, ifFree(), sticky());
    }

    /** Returns the same terms, with whether to enter only if granted at once. */
    default ClaimSpec withIfFree(boolean onlyThen) {
        return new ClaimSpecValue(capacity(), weight(), lease(), fixedLease(), onlyThen, sticky());
    }

    /** Returns the same terms, with whether the owner is to be told when another wants the resource. */
    default ClaimSpec withSticky(boolean isSticky) {
        return new ClaimSpecValue(capacity(), weight(), lease(), fixedLease(), ifFree(), isSticky);
    }
}
