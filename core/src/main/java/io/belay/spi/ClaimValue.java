package io.belay.spi;

import java.util.Objects;

/** The record behind {@link Claim}. */
record ClaimValue(
        ClaimId id,
        int weight,
        long sequence,
        long deadline,
        long fixedLease,
        boolean pending,
        int reweights,
        long entered,
        int localWaiters,
        boolean sticky,
        Owner owner)
        implements Claim {
    ClaimValue {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(owner, "owner");
    }

    /** Makes a claim that enters now, at once: copies of copies would be garbage. */
    static ClaimValue entered(
            ClaimId id, ClaimSpec spec, long sequence, long deadline, long now, int localWaiters, Owner owner) {
        int weight = spec.weight();
        long fixedLease = spec.fixedLease();
        boolean sticky = spec.sticky();
        return new ClaimValue(id, weight, sequence, deadline, fixedLease, false, 0, now, localWaiters, sticky, owner);
    }

    /** Returns a claim as what it is. */
    static ClaimValue of(Claim claim) {
        return (ClaimValue) claim;
    }

    @Override
    public Claim withFixedLease(long fixed) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixed, pending, reweights, entered, localWaiters, sticky, owner);
    }

    @Override
    public Claim withPending(boolean isPending) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, isPending, reweights, entered, localWaiters, sticky, owner);
    }

    @Override
    public Claim withReweights(int changes) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, pending, changes, entered, localWaiters, sticky, owner);
    }

    @Override
    public Claim withEntered(long since) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, pending, reweights, since, localWaiters, sticky, owner);
    }

    @Override
    public Claim withLocalWaiters(int waiters) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, waiters, sticky, owner);
    }

    @Override
    public Claim withSticky(boolean isSticky) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, localWaiters, isSticky, owner);
    }

    @Override
    public Claim withOwner(Owner owner) {
        return new ClaimValue(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, localWaiters, sticky, owner);
    }

    ClaimValue renewed(long newDeadline, int waiters) {
        return new ClaimValue(
                id, weight, sequence, newDeadline, fixedLease, false, reweights, entered, waiters, sticky, owner);
    }

    /** Returns the same claim, granted while its owner was not asking: for as long as that may take to pick it up. */
    ClaimValue handedOver(long now) {
        long window = fixedLease > 0 ? Math.min(fixedLease, Resource.PICK_UP) : Resource.PICK_UP;
        long newDeadline = Math.min(deadline, now + window);
        return new ClaimValue(
                id, weight, sequence, newDeadline, fixedLease, true, reweights, entered, localWaiters, sticky, owner);
    }

    ClaimValue resequenced(long next) {
        return new ClaimValue(
                id, weight, next, deadline, fixedLease, pending, reweights, entered, localWaiters, sticky, owner);
    }

    /** Returns the same claim, which ends then, is renewed no more, and is given to nobody who wants it before. */
    ClaimValue fixed(long lease, long end, int changes) {
        return new ClaimValue(id, weight, sequence, end, lease, false, changes, entered, localWaiters, false, owner);
    }

    ClaimValue reweighted(int to) {
        int changes = reweights + 1;
        return new ClaimValue(
                id, to, sequence, deadline, fixedLease, pending, changes, entered, localWaiters, sticky, owner);
    }
}
