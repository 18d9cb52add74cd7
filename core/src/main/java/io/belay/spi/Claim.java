package io.belay.spi;

/** A claim on a resource, as the store keeps it. All times are the store's, in microseconds. */
public sealed interface Claim permits ClaimValue {
    /** The number of fencing tokens that one sequence has room for: they are {@code sequence * TOKENS}, and those that follow. */
    int TOKENS = 1024;

    /** The number of sequences that a sticky claim takes at a time: its owner makes tokens of all without asking. */
    int STICKY_SEQUENCES = 64;

    /** Makes a claim that is renewed and was never changed; what else is to be said of it is said by the copies below. */
    static Claim of(ClaimId id, int weight, long sequence, long deadline, Owner owner) {
        return new ClaimValue(id, weight, sequence, deadline, 0, false, 0, 0, 0, false, owner);
    }

    /** Returns the stay in the queue that this claim is. */
    ClaimId id();

    /** Returns how much of the capacity it takes once granted; at least 1. */
    int weight();

    /** Returns its place in the order of entry; the fencing token is made of it. */
    long sequence();

    /** Returns when it expires unless it is renewed. */
    long deadline();

    /** Returns the fixed lease that starts when the grant is picked up; 0 for a claim that is renewed while held. */
    long fixedLease();

    /** Returns whether it was granted while its owner was not asking, and the owner has not been heard of since. */
    boolean pending();

    /** Returns how many changes of its weight or of its end it has seen. */
    int reweights();

    /** Returns when it entered the queue. */
    long entered();

    /** Returns how many waiters inside its client stood behind it at its last renewal. */
    int localWaiters();

    /**
     * Returns whether its owner keeps it while nobody else wants the resource, and so is to be told when somebody
     * does.
     */
    boolean sticky();

    /** Returns who entered it, or has it now. */
    Owner owner();

    /** Returns the same claim, with a fixed lease. */
    Claim withFixedLease(long fixed);

    /** Returns the same claim, with whether its owner has yet to hear of the grant. */
    Claim withPending(boolean isPending);

    /** Returns the same claim, with how many changes of weight it has seen. */
    Claim withReweights(int changes);

    /** Returns the same claim, with when it entered. */
    Claim withEntered(long since);

    /** Returns the same claim, with how many waiters stand behind it. */
    Claim withLocalWaiters(int waiters);

    /** Returns the same claim, with whether its owner keeps it while nobody else wants the resource. */
    Claim withSticky(boolean isSticky);

    /** Returns the same claim, with what its client tells of it now. */
    Claim withOwner(Owner owner);
}
