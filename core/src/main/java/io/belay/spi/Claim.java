package io.belay.spi;

import java.util.Objects;

/**
 * A claim on a resource, as the store keeps it. All times are the store's, in microseconds.
 *
 * @param id the stay in the queue that this claim is
 * @param weight how much of the capacity it takes once granted; at least 1
 * @param sequence its place in the order of entry; the fencing token is made of it
 * @param deadline when it expires unless it is renewed
 * @param fixedLease the fixed lease that starts when the grant is picked up; 0 for a claim that is renewed while held
 * @param pending whether it was granted while its owner was not asking, and the owner has not been heard of since
 * @param reweights how many changes of its weight or of its end it has seen
 * @param entered when it entered the queue
 * @param localWaiters how many waiters inside its client stood behind it at its last renewal
 * @param sticky whether its owner keeps it while nobody else wants the resource, and so is to be told when somebody does
 * @param owner who entered it, or has it now
 */
public record Claim(
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
        Owner owner) {

    /** The number of fencing tokens that one sequence has room for: they are {@code sequence * TOKENS}, and those that follow. */
    public static final int TOKENS = 1024;

    /** The number of sequences that a sticky claim takes at a time: its owner makes tokens of all without asking. */
    public static final int STICKY_SEQUENCES = 64;

    public Claim {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(owner, "owner");
    }

    /** Makes a claim that is renewed and was never changed; what else is to be said of it is said by the copies below. */
    public static Claim of(ClaimId id, int weight, long sequence, long deadline, Owner owner) {
        return new Claim(id, weight, sequence, deadline, 0, false, 0, 0, 0, false, owner);
    }

    /** Returns the same claim, with a fixed lease. */
    public Claim withFixedLease(long fixed) {
        return new Claim(
                id, weight, sequence, deadline, fixed, pending, reweights, entered, localWaiters, sticky, owner);
    }

    /** Returns the same claim, with whether its owner has yet to hear of the grant. */
    public Claim withPending(boolean isPending) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, isPending, reweights, entered, localWaiters, sticky, owner);
    }

    /** Returns the same claim, with how many changes of weight it has seen. */
    public Claim withReweights(int changes) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, pending, changes, entered, localWaiters, sticky, owner);
    }

    /** Returns the same claim, with when it entered. */
    public Claim withEntered(long since) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, pending, reweights, since, localWaiters, sticky, owner);
    }

    /** Returns the same claim, with how many waiters stand behind it. */
    public Claim withLocalWaiters(int waiters) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, waiters, sticky, owner);
    }

    /** Returns the same claim, with whether its owner keeps it while nobody else wants the resource. */
    public Claim withSticky(boolean isSticky) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, localWaiters, isSticky, owner);
    }

    /** Returns the same claim, with what its client tells of it now. */
    public Claim withOwner(Owner owner) {
        return new Claim(
                id, weight, sequence, deadline, fixedLease, pending, reweights, entered, localWaiters, sticky, owner);
    }

    Claim renewed(long newDeadline, int waiters) {
        return new Claim(
                id, weight, sequence, newDeadline, fixedLease, false, reweights, entered, waiters, sticky, owner);
    }

    Claim handedOver(long newDeadline) {
        return new Claim(
                id, weight, sequence, newDeadline, fixedLease, true, reweights, entered, localWaiters, sticky, owner);
    }

    Claim resequenced(long newSequence) {
        return new Claim(
                id,
                weight,
                newSequence,
                deadline,
                fixedLease,
                pending,
                reweights,
                entered,
                localWaiters,
                sticky,
                owner);
    }

    /** Returns the same claim, which ends then, is renewed no more, and is given to nobody who wants it before. */
    Claim fixed(long lease, long end, int changes) {
        return new Claim(id, weight, sequence, end, lease, false, changes, entered, localWaiters, false, owner);
    }

    Claim reweighted(int newWeight) {
        return new Claim(
                id,
                newWeight,
                sequence,
                deadline,
                fixedLease,
                pending,
                reweights + 1,
                entered,
                localWaiters,
                sticky,
                owner);
    }
}
