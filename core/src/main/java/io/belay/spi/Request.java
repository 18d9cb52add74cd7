package io.belay.spi;

import java.util.Objects;

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

    /**
     * A request to enter a claim at the end of the queue. Sent again, it finds the claim and renews it.
     *
     * @param resource the resource's name
     * @param id a fresh id
     * @param spec what the claim wants
     * @param localWaiters how many waiters stand behind it inside its client
     * @param owner who enters
     * @param proposed the sequence that the claim wants, or 0 for the next one. The claim is entered under that
     *     sequence or not at all: the answer is {@link Answer.State#BEHIND} if the sequence is not above the last
     *     one, if it is behind the store's clock, or if it is ahead of that by more than its lease. A quorum proposes, so
     *     that its members agree; the engine does not
     */
    record Enter(String resource, ClaimId id, ClaimSpec spec, int localWaiters, Owner owner, long proposed)
            implements OfClaim {
        public Enter {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(spec, "spec");
            Objects.requireNonNull(owner, "owner");
        }

        /** Makes an enter that takes the next sequence. */
        public Enter(String resource, ClaimId id, ClaimSpec spec, int localWaiters, Owner owner) {
            this(resource, id, spec, localWaiters, owner, 0);
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.enter(this, now);
        }
    }

    /**
     * A request to end a claim for good, by id alone.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param unclear whether an enter of it may still be on its way: the store then refuses that id for a minute
     */
    record Leave(String resource, ClaimId id, boolean unclear) implements OfClaim {
        public Leave {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.leave(id, unclear, now);
        }
    }

    /**
     * A request to renew a claim, to pick up a grant, and to ask how the claim stands.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     * @param lease the lease to give
     * @param localWaiters how many waiters stand behind it inside its client
     * @param fresh whether to give it a fresh sequence in place, which is done only if nobody waits
     */
    record Renew(String resource, ClaimId id, long sequence, long lease, int localWaiters, boolean fresh)
            implements OfClaim {
        public Renew {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.renew(this, now);
        }
    }

    /**
     * A request to give a granted claim a fresh sequence: behind the others if any wait, in place if none do.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     * @param lease the lease for its new stay
     * @param localWaiters how many waiters stand behind it inside its client
     */
    record Yield(String resource, ClaimId id, long sequence, long lease, int localWaiters) implements OfClaim {
        public Yield {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.yield(this, now);
        }
    }

    /**
     * A request to change the weight of a granted claim in place. A raise is refused unless all granted ones still fit.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     * @param reweights how many changes of weight the client knows of
     * @param weight the new weight
     */
    record Reweight(String resource, ClaimId id, long sequence, int reweights, int weight) implements OfClaim {
        public Reweight {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.reweight(this, now);
        }
    }

    /**
     * A request to fix the end of a granted claim: so long from now, be that earlier or later than before. From then on
     * nothing renews it, its end is the same whatever becomes of its client, and that is told no more if another wants the
     * resource. An older copy of the request, told by what
     * it knows of, changes nothing.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     * @param reweights how many changes the client knows of, or has asked for: a later request names more of them
     * @param lease the time from now to its end, at least 1
     */
    record Fix(String resource, ClaimId id, long sequence, int reweights, long lease) implements OfClaim {
        public Fix {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
            if (reweights < 0 || lease < 1) {
                throw new IllegalArgumentException("not a fix: " + reweights + " changes, a lease of " + lease);
            }
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.fix(this, now);
        }
    }

    /**
     * A request to show another owner for a claim, as another thread has the lock now. Changes nothing else, and does not
     * renew the claim. May be answered before it is done: nothing but what people see depends on it.
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     * @param owner who is to be shown
     */
    record Describe(String resource, ClaimId id, long sequence, Owner owner) implements OfClaim {
        public Describe {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(owner, "owner");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.describe(this, now);
        }
    }

    /**
     * A request to drop a grant that was made while its owner was not asking, because the owner is known to be dead,
     * or to get no pushes. A claim whose owner has been heard of since is never dropped. No engine sends it: a store that can
     * tell the dead does (the file store).
     *
     * @param resource the resource's name
     * @param id the claim
     * @param sequence its sequence
     */
    record Skip(String resource, ClaimId id, long sequence) implements OfClaim {
        public Skip {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(id, "id");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.skip(id, sequence, now);
        }
    }

    /**
     * A request to change the capacity. A smaller one revokes no grant, and ends the waiters that can no longer fit. 0 forgets
     * the capacity that was set, unless a claim is there; the answer is {@link Answer.State#LEFT} if it did.
     *
     * @param resource the resource's name
     * @param capacity the new capacity, or 0
     */
    record Resize(String resource, int capacity) implements Request {
        public Resize {
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.resize(capacity, now);
        }
    }

    /**
     * A request to end every granted claim by force.
     *
     * @param resource the resource's name
     */
    record Evict(String resource) implements Request {
        public Evict {
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public Step applyTo(Resource state, long now) {
            Objects.requireNonNull(state, "state");
            return state.evict(now);
        }
    }
}
