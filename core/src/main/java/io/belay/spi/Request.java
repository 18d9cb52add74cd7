package io.belay.spi;

/**
 * An operation on a resource, atomic in the store. Every request but {@link Enter} and {@link Leave} names its claim by
 * id <em>and</em> sequence; where that does not match, nothing changes and the answer tells the present state, so a
 * late or doubled request does no harm. All durations are in microseconds.
 */
public sealed interface Request {
    /** Returns the resource's name. */
    String resource();

    /** Runs the request on the reference model, as a store does that keeps a resource as one value. */
    Step applyTo(Resource state, long now);

    /** A request about one claim. */
    sealed interface OfClaim extends Request {
        /** Returns the claim's id. */
        ClaimId id();
    }

    /** A request about one claim as it stands under one sequence. */
    sealed interface OfStay extends OfClaim {
        /** Returns the claim's sequence. */
        long sequence();
    }

    /** A request to enter a claim at the end of the queue. Sent again, it finds the claim and renews it. */
    sealed interface Enter extends OfClaim permits Requests.Enter {
        /** Makes an enter that takes the next sequence, of a fresh id; what the parts are, the methods below say. */
        static Enter of(String resource, ClaimId id, ClaimSpec spec, int localWaiters, Owner owner) {
            return new Requests.Enter(resource, id, spec, localWaiters, owner, 0);
        }

        /** Returns what the claim wants. */
        ClaimSpec spec();

        /** Returns how many waiters stand behind it inside its client. */
        int localWaiters();

        /** Returns who enters. */
        Owner owner();

        /**
         * Returns the sequence that the claim wants, or 0 for the next one. The claim is entered under that sequence or
         * not at all: the answer is {@link Answer.State#BEHIND} if the sequence is not above the last one, if it is
         * behind the store's clock, or if it is ahead of that by more than its lease. A quorum proposes, so that its
         * members agree; the engine does not.
         */
        long proposed();

        /** Returns the same request, which proposes that sequence. */
        default Enter withProposed(long sequence) {
            return new Requests.Enter(resource(), id(), spec(), localWaiters(), owner(), sequence);
        }
    }

    /** A request to end a claim for good, by id alone. */
    sealed interface Leave extends OfClaim permits Requests.Leave {
        /** Makes a leave; what the parts are, the methods below say. */
        static Leave of(String resource, ClaimId id, boolean unclear) {
            return new Requests.Leave(resource, id, unclear);
        }

        /** Returns whether an enter of it may still be on its way: the store then refuses that id for a minute. */
        boolean unclear();
    }

    /** A request to renew a claim, to pick up a grant, and to ask how the claim stands. */
    sealed interface Renew extends OfStay permits Requests.Renew {
        /** Makes a renewal; what the parts are, the methods below say. */
        static Renew of(String resource, ClaimId id, long sequence, long lease, int localWaiters, boolean fresh) {
            return new Requests.Renew(resource, id, sequence, lease, localWaiters, fresh);
        }

        /** Returns the lease to give. */
        long lease();

        /** Returns how many waiters stand behind it inside its client. */
        int localWaiters();

        /** Returns whether to give it a fresh sequence in place, which is done only if nobody waits. */
        boolean fresh();
    }

    /** A request to give a granted claim a fresh sequence: behind the others if any wait, in place if none do. */
    sealed interface Yield extends OfStay permits Requests.Yield {
        /** Makes a yield; what the parts are, the methods below say. */
        static Yield of(String resource, ClaimId id, long sequence, long lease, int localWaiters) {
            return new Requests.Yield(resource, id, sequence, lease, localWaiters);
        }

        /** Returns the lease for its new stay. */
        long lease();

        /** Returns how many waiters stand behind it inside its client. */
        int localWaiters();
    }

    /**
     * A request to change the weight of a granted claim in place. A raise is refused unless all granted ones still fit.
     */
    sealed interface Reweight extends OfStay permits Requests.Reweight {
        /** Makes a change of weight; what the parts are, the methods below say. */
        static Reweight of(String resource, ClaimId id, long sequence, int reweights, int weight) {
            return new Requests.Reweight(resource, id, sequence, reweights, weight);
        }

        /** Returns how many changes of weight the client knows of. */
        int reweights();

        /** Returns the new weight. */
        int weight();
    }

    /**
     * A request to fix the end of a granted claim: so long from now, be that earlier or later than before. From then on
     * nothing renews it, its end is the same whatever becomes of its client, and that is told no more if another wants the
     * resource. An older copy of the request, told by what it knows of, changes nothing. A store that takes a fixed lease
     * ({@link ClaimSpec#fixedLease()}) takes a fix of the same length.
     */
    sealed interface Fix extends OfStay permits Requests.Fix {
        /**
         * Makes a fix of the end; what the parts are, the methods below say.
         *
         * @throws IllegalArgumentException if a number cannot be of a fix
         */
        static Fix of(String resource, ClaimId id, long sequence, int reweights, long lease) {
            return new Requests.Fix(resource, id, sequence, reweights, lease);
        }

        /** Returns how many changes the client knows of, or has asked for: a later request names more of them. */
        int reweights();

        /** Returns the time from now to its end, at least 1. */
        long lease();
    }

    /**
     * A request to show another owner for a claim, as another thread has the lock now. Changes nothing else, and does not
     * renew the claim. May be answered before it is done: nothing but what people see depends on it.
     */
    sealed interface Describe extends OfStay permits Requests.Describe {
        /** Makes a description; what the parts are, the methods below say. */
        static Describe of(String resource, ClaimId id, long sequence, Owner owner) {
            return new Requests.Describe(resource, id, sequence, owner);
        }

        /** Returns who is to be shown. */
        Owner owner();
    }

    /**
     * A request to drop a grant that was made while its owner was not asking, because the owner is known to be dead,
     * or to get no pushes. A claim whose owner has been heard of since is never dropped. No engine sends it: a store that can
     * tell the dead does (the file store).
     */
    sealed interface Skip extends OfStay permits Requests.Skip {
        /** Makes a skip; what the parts are, the methods below say. */
        static Skip of(String resource, ClaimId id, long sequence) {
            return new Requests.Skip(resource, id, sequence);
        }
    }

    /**
     * A request to change the capacity. A smaller one revokes no grant, and ends the waiters that can no longer fit. That of a
     * whole lock is not changed while claims are there: the answer is {@link Answer.State#REFUSED}. 0 forgets the capacity that
     * was set, unless a claim is there; the answer is {@link Answer.State#LEFT} if it did.
     */
    sealed interface Resize extends Request permits Requests.Resize {
        /** Makes a change of capacity; what the parts are, the methods below say. */
        static Resize of(String resource, int capacity) {
            return new Requests.Resize(resource, capacity);
        }

        /** Returns the new capacity, or 0. */
        int capacity();
    }

    /** A request to end every granted claim by force. */
    sealed interface Evict extends Request permits Requests.Evict {
        /** Makes an eviction from the resource of that name. */
        static Evict of(String resource) {
            return new Requests.Evict(resource);
        }
    }
}
