package io.belay.spi;

import java.util.List;
import java.util.Objects;

/**
 * The reference model: what a store knows of one resource, and every operation on it, as a pure immutable value. It has
 * no clock, no threads and does no I/O; stores that keep a resource as one value run it, others are tested against it.
 *
 * <p>A resource has a capacity and a list of weighted claims in the order in which they entered. <b>The next waiting
 * claim is granted exactly when its weight and the weights of all claims before it fit the capacity together.</b>
 * What is granted stays granted until it leaves, yields or expires, so the granted claims are always a prefix of the
 * list. Every operation first expires the claims whose deadline has passed, except the claim that it lets leave, and
 * ends by granting what now fits.
 *
 * <p>All times are the store's, in microseconds. A sequence is a hybrid logical clock: one more than the last, and not
 * behind the store's time (Kulkarni et al., "Logical Physical Clocks", 2014).
 */
public final class Resource {
    /** The capacity of a lock, and the weight of a claim that wants all of it. */
    public static final int WHOLE = Integer.MAX_VALUE;

    /** The time that a grant holds which its owner did not ask for at that moment, in microseconds. */
    public static final long PICK_UP = 2_000_000;

    /** The time that an ended id is refused and an empty resource is kept, in microseconds. */
    public static final long MEMORY = 60_000_000;

    /** A resource that nobody has used. */
    public static final Resource UNUSED = new Resource(0, 0, false, List.of(), 0, List.of(), 0);

    final long last;
    final int capacity;
    final boolean resized;
    final List<Claim> claims;
    final int granted;
    final List<Tombstone> tombstones;
    private final long keepUntil;

    /**
     * Copies the lists and checks what every state must hold, since stores are not trusted blindly.
     *
     * @throws IllegalArgumentException if the values cannot be a state of a resource
     */
    Resource(
            long last,
            int capacity,
            boolean resized,
            List<Claim> claims,
            int granted,
            List<Tombstone> tombstones,
            long keepUntil) {
        this.last = last;
        this.capacity = capacity;
        this.resized = resized;
        this.granted = granted;
        this.keepUntil = keepUntil;
        this.claims = List.copyOf(Objects.requireNonNull(claims, "claims"));
        this.tombstones = List.copyOf(Objects.requireNonNull(tombstones, "tombstones"));
        if (granted < 0 || granted > this.claims.size() || capacity < 0) {
            throw new IllegalArgumentException("not a resource: " + granted + " of " + this.claims.size()
                    + " claims granted, capacity " + capacity);
        }
        long before = 0;
        for (Claim claim : this.claims) {
            long sequence = claim.sequence();
            if (claim.weight() < 1 || sequence <= before || sequence > last) {
                throw new IllegalArgumentException(
                        "not a resource: sequence " + sequence + " after " + before + ", last " + last);
            }
            before = sequence;
        }
    }

    /** Makes a resource without claims, with the last sequence given and the capacity that its claims had. */
    public static Resource of(long last, int capacity) {
        return new Resource(last, capacity, false, List.of(), 0, List.of(), 0);
    }

    /**
     * Returns the same resource, with other claims.
     *
     * @throws IllegalArgumentException if it cannot have them
     */
    public Resource withClaims(List<Claim> claims, int granted) {
        return new Resource(last, capacity, resized, claims, granted, tombstones, keepUntil);
    }

    /** Returns the same resource, with whether the capacity was set on purpose. */
    public Resource withResized(boolean onPurpose) {
        return new Resource(last, capacity, onPurpose, claims, granted, tombstones, keepUntil);
    }

    /** Returns the same resource, with the ids that may no longer enter. */
    public Resource withTombstones(List<Tombstone> tombstones) {
        return new Resource(last, capacity, resized, claims, granted, tombstones, keepUntil);
    }

    /** Returns the same resource, with until when it is kept at least if it is empty. */
    public Resource withKeepUntil(long time) {
        return new Resource(last, capacity, resized, claims, granted, tombstones, time);
    }

    /** An id that was ended while an enter of it may still be on its way. */
    public sealed interface Tombstone permits TombstoneValue {
        /** Makes the tombstone of an id, which may be forgotten at that time. */
        static Tombstone of(ClaimId id, long until) {
            return new TombstoneValue(id, until);
        }

        /** Returns the id that is refused. */
        ClaimId id();

        /** Returns when that may be forgotten. */
        long until();
    }

    /** Returns the last sequence given. */
    public long last() {
        return last;
    }

    /** Returns what the weights of the granted claims may sum up to; 0 before the first claim. */
    public int capacity() {
        return capacity;
    }

    /** Returns whether the capacity was set on purpose, so that the resource is kept when it is empty. */
    public boolean resized() {
        return resized;
    }

    /** Returns all claims, granted ones first, in the order of their sequences. */
    public List<Claim> claims() {
        return claims;
    }

    /** Returns how many of them are granted. */
    public int granted() {
        return granted;
    }

    /** Returns the ids that may no longer enter. */
    public List<Tombstone> tombstones() {
        return tombstones;
    }

    /** Returns until when an empty resource is kept at least. */
    public long keepUntil() {
        return keepUntil;
    }

    /** Returns whether nothing would be lost by forgetting this resource at that time. */
    public boolean isForgettable(long now) {
        return claims.isEmpty() && forgettableFrom() <= now;
    }

    /**
     * Returns from when on nothing would be lost by forgetting this resource, if no client touches it before: then
     * the claims of clients that have died have expired, too. {@link Long#MAX_VALUE} if a capacity was set.
     */
    public long forgettableFrom() {
        if (resized) {
            return Long.MAX_VALUE;
        }
        long from = Math.max(keepUntil, last + 1);
        for (Claim claim : claims) {
            from = Math.max(from, claim.deadline() + MEMORY);
        }
        for (Tombstone tombstone : tombstones) {
            from = Math.max(from, tombstone.until());
        }
        return from;
    }

    /** Returns the granted claims. */
    public List<Claim> holders() {
        return claims.subList(0, granted);
    }

    Step enter(Request.Enter request, long now) {
        Draft draft = new Draft(this, now);
        ClaimSpec spec = request.spec();
        ClaimId id = request.id();
        long proposed = request.proposed();
        int at = draft.find(id);
        if (at >= 0) {
            draft.touch(at, spec.lease(), request.localWaiters());
            return draft.step(at, null);
        }
        String refusal = draft.refusal(id, spec);
        if (refusal != null) {
            return draft.step(Answer.State.REFUSED, refusal);
        }
        if (spec.ifFree() && !draft.fits(spec)) {
            return draft.step(Answer.State.BUSY, null);
        }
        if (proposed != 0 && !draft.mayHave(proposed, spec.lease())) {
            return draft.step(Answer.State.BEHIND, null);
        }
        draft.append(request, spec, proposed);
        return draft.step(draft.claims.size() - 1, null);
    }

    Step leave(ClaimId id, boolean unclear, long now) {
        Draft draft = new Draft(this, now, id);
        if (unclear) {
            draft.bury(id);
        }
        return draft.step(draft.left ? Answer.State.LEFT : Answer.State.GONE, null);
    }

    Step renew(Request.Renew request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        if (at >= 0) {
            // After a shrink it might not be granted again, and a renewal takes nothing away.
            boolean fits = draft.grantedWeight() <= draft.capacity;
            if (request.fresh() && fits && draft.mayMove(at) && draft.waiting() == 0) {
                draft.moveToTail(at, request.lease(), request.localWaiters());
            } else {
                draft.touch(at, request.lease(), request.localWaiters());
            }
        }
        return draft.step(request.id(), null);
    }

    Step yield(Request.Yield request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        if (at >= 0 && draft.mayMove(at)) {
            draft.yield(at, request.lease(), request.localWaiters());
        }
        return draft.step(request.id(), null);
    }

    Step reweight(Request.Reweight request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        if (at >= 0 && at < draft.granted && draft.claims.get(at).reweights() == request.reweights()) {
            int before = draft.claims.get(at).weight();
            long others = draft.grantedWeight() - before;
            if (request.weight() > before && others + request.weight() > draft.capacity) {
                return draft.step(request.id(), Refusals.noRoom(draft.capacity, others, request.weight()));
            }
            draft.set(at, ClaimValue.of(draft.claims.get(at)).reweighted(request.weight()));
        }
        return draft.step(request.id(), null);
    }

    Step fix(Request.Fix request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        // Not only if they are equal: of two requests on their way the later one counts, whichever comes first.
        if (at >= 0
                && at < draft.granted
                && request.reweights() >= draft.claims.get(at).reweights()) {
            draft.set(
                    at,
                    ClaimValue.of(draft.claims.get(at))
                            .fixed(request.lease(), now + request.lease(), request.reweights() + 1));
        }
        return draft.step(request.id(), null);
    }

    Step describe(Request.Describe request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        if (at >= 0) {
            draft.set(at, draft.claims.get(at).withOwner(request.owner()));
        }
        return draft.step(request.id(), null);
    }

    Step skip(Request.Skip request, long now) {
        Draft draft = new Draft(this, now);
        int at = draft.find(request);
        if (at >= 0 && at < draft.granted && draft.claims.get(at).pending()) {
            draft.remove(at);
        }
        return draft.step(request.id(), null);
    }

    Step resize(int newCapacity, long now) {
        Draft draft = new Draft(this, now);
        if (newCapacity == 0) {
            return draft.step(draft.forgetCapacity() ? Answer.State.LEFT : Answer.State.GONE, null);
        }
        if (draft.capacity == WHOLE && !draft.claims.isEmpty()) { // it is in use as something else
            return draft.step(Answer.State.REFUSED, Refusals.otherCapacity(WHOLE, newCapacity));
        }
        draft.resize(newCapacity);
        return draft.step(Answer.State.GONE, null);
    }

    Step evict(long now) {
        Draft draft = new Draft(this, now);
        boolean held = draft.granted > 0;
        draft.evict();
        return draft.step(held ? Answer.State.LEFT : Answer.State.GONE, null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Resource that
                && last == that.last
                && capacity == that.capacity
                && resized == that.resized
                && claims.equals(that.claims)
                && granted == that.granted
                && tombstones.equals(that.tombstones)
                && keepUntil == that.keepUntil;
    }

    @Override
    public int hashCode() {
        return Objects.hash(last, capacity, resized, claims, granted, tombstones, keepUntil);
    }

    @Override
    public String toString() {
        return "Resource[last=" + last + ", capacity=" + capacity + ", resized=" + resized + ", claims=" + claims
                + ", granted=" + granted + ", tombstones=" + tombstones + ", keepUntil=" + keepUntil + "]";
    }
}
