package io.belay.spi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation in the making: a resource taken apart, expired, changed, and put together again as a {@link Step}. */
final class Draft {
    private final Resource before;
    private final long now;
    private final List<Claim> ended = new ArrayList<>(0);
    private List<Resource.Tombstone> tombstones;
    private long last;
    private boolean resized;
    private boolean changed;
    /** True if the claim that was to leave was there. */
    final boolean left;

    final List<Claim> claims;
    int granted;
    int capacity;

    Draft(Resource before, long now) {
        this(before, now, null);
    }

    /** Takes the leaving claim out before any expires: a claim that was still there was released, however late. */
    Draft(Resource before, long now, @Nullable ClaimId leaving) {
        this.before = before;
        this.now = now;
        claims = new ArrayList<>(before.claims);
        granted = before.granted;
        last = before.last;
        capacity = before.capacity;
        resized = before.resized;
        tombstones = before.tombstones;
        int at = leaving == null ? -1 : find(leaving);
        left = at >= 0;
        if (left) {
            remove(at);
        }
        expire();
    }

    private void expire() {
        for (int i = claims.size() - 1; i >= 0; i--) {
            if (claims.get(i).deadline() <= now) {
                remove(i);
            }
        }
        if (!tombstones.isEmpty() && tombstones.stream().anyMatch(t -> t.until() <= now)) {
            tombstones = tombstones.stream().filter(t -> t.until() > now).toList();
            changed = true;
        }
        grantWhatFits();
    }

    /** Returns the index of the claim, or -1. */
    int find(ClaimId id) {
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the index of the claim that a request is about if it has the sequence named there, or -1. */
    int find(Request.OfStay request) {
        int at = find(request.id());
        return at >= 0 && claims.get(at).sequence() == request.sequence() ? at : -1;
    }

    int waiting() {
        return claims.size() - granted;
    }

    long grantedWeight() {
        long sum = 0;
        for (int i = 0; i < granted; i++) {
            sum += claims.get(i).weight();
        }
        return sum;
    }

    /**
     * Returns whether a claim that entered now, and was not {@linkplain #refusal refused}, would be granted at once: the
     * capacity that it asks for is the resource's, or becomes it.
     */
    boolean fits(ClaimSpec spec) {
        return waiting() == 0 && grantedWeight() + spec.weight() <= spec.capacity();
    }

    @Nullable
    String refusal(ClaimId id, ClaimSpec spec) {
        if (!tombstones.isEmpty() && tombstones.stream().anyMatch(t -> t.id().equals(id))) {
            return Refusals.ENDED;
        }
        int weight = spec.weight();
        int asked = spec.capacity();
        boolean free = claims.isEmpty() && !resized;
        if (!free && asked != capacity) {
            return Refusals.otherCapacity(capacity, asked);
        }
        return weight <= asked ? null : Refusals.tooHeavy(asked, weight);
    }

    /** Returns whether a claim may have the sequence that it proposes. */
    boolean mayHave(long proposed, long lease) {
        return proposed >= next() && proposed - now <= lease;
    }

    /** Adds a claim that was not refused, under the sequence that it proposes, or the next one if that is 0. */
    void append(Request.Enter request, ClaimSpec spec, long proposed) {
        boolean atOnce = fits(spec);
        capacity = spec.capacity();
        long fixedLease = spec.fixedLease();
        long lease = atOnce && fixedLease > 0 ? fixedLease : spec.lease();
        long sequence = take(proposed, spec.sticky());
        claims.add(ClaimValue.entered(
                request.id(), spec, sequence, now + lease, now, request.localWaiters(), request.owner()));
        changed = true;
        if (atOnce) {
            granted++;
        }
    }

    /** Renews a claim whose owner was heard of, and picks up a grant. A fixed lease runs from its pick-up. */
    void touch(int at, long lease, int localWaiters) {
        Claim claim = claims.get(at);
        boolean held = at < granted;
        long deadline = now + (held && claim.fixedLease() > 0 ? claim.fixedLease() : lease);
        if (held && claim.fixedLease() > 0 && !claim.pending()) {
            return;
        }
        set(at, ClaimValue.of(claim).renewed(Math.max(claim.deadline(), deadline), localWaiters));
    }

    /** Returns whether the claim is granted and has no fixed lease, whose deadline would stay what it is. */
    boolean mayMove(int at) {
        return at < granted && claims.get(at).fixedLease() == 0;
    }

    /** Takes a granted claim out, grants what then fits, and puts it back with a fresh sequence behind all others. */
    void moveToTail(int at, long lease, int localWaiters) {
        Claim claim = claims.get(at);
        remove(at);
        grantWhatFits();
        if (claim.weight() > capacity) {
            ended.add(claim);
            return;
        }
        long deadline = Math.max(claim.deadline(), now + lease);
        claims.add(ClaimValue.of(claim).renewed(deadline, localWaiters).resequenced(take(next(), claim.sticky())));
        if (waiting() == 1 && grantedWeight() + claim.weight() <= capacity) {
            granted++;
        }
    }

    /** Does the same, and forgets since when it was held: that is not told of the next hold. */
    void yield(int at, long lease, int localWaiters) {
        Claim claim = claims.get(at);
        claims.set(at, claim.withOwner(claim.owner().withSince(0)));
        moveToTail(at, lease, localWaiters);
    }

    void set(int at, Claim claim) {
        claims.set(at, claim);
        changed = true;
    }

    void remove(int at) {
        claims.remove(at);
        if (at < granted) {
            granted--;
        }
        changed = true;
    }

    void bury(ClaimId id) {
        List<Resource.Tombstone> all = new ArrayList<>(tombstones);
        all.removeIf(t -> t.id().equals(id));
        all.add(Resource.Tombstone.of(id, now + Resource.MEMORY));
        tombstones = all;
        changed = true;
    }

    /** Forgets a capacity that was set, unless a claim is there; returns whether it did. */
    boolean forgetCapacity() {
        boolean unused = resized && claims.isEmpty();
        resized &= !unused;
        changed |= unused;
        return unused;
    }

    void resize(int newCapacity) {
        capacity = newCapacity;
        resized = true;
        changed = true;
        for (int i = claims.size() - 1; i >= granted; i--) {
            if (claims.get(i).weight() > newCapacity) {
                ended.add(claims.get(i));
                remove(i);
            }
        }
    }

    void evict() {
        while (granted > 0) {
            ended.add(claims.get(0));
            remove(0);
        }
    }

    private long next() {
        return Math.max(last + 1, now);
    }

    /** Takes the sequence that is proposed, or the next one if that is 0. */
    private long take(long proposed, boolean sticky) {
        long sequence = proposed == 0 ? next() : proposed;
        last = sticky ? sequence + Claim.STICKY_SEQUENCES - 1 : sequence;
        return sequence;
    }

    private void grantWhatFits() {
        if (granted == claims.size()) {
            return; // nobody waits
        }
        long sum = grantedWeight();
        while (granted < claims.size()) {
            ClaimValue claim = ClaimValue.of(claims.get(granted));
            sum += claim.weight();
            if (sum > capacity) {
                return;
            }
            claims.set(granted, claim.handedOver(now));
            granted++;
            changed = true;
        }
    }

    /** Ends the operation with the present state of a claim. */
    Step step(ClaimId id, @Nullable String refusal) {
        int at = find(id);
        return at < 0 ? step(Answer.State.GONE, refusal) : step(at, refusal);
    }

    /** Ends the operation with the present state of the claim with that index. */
    Step step(int at, @Nullable String refusal) {
        grantWhatFits();
        Claim claim = claims.get(at);
        boolean held = at < granted;
        int place = held ? 0 : at - granted + 1;
        Answer answer = AnswerValue.of(claim, now, place, expiry(), held ? waiting() : waiting() - 1, refusal);
        List<Claim> granting = handedOver(at);
        return new StepValue(after(), answer, granting, place == 1 ? keepers(granting) : List.of(), ended);
    }

    /** Ends the operation with no state of a claim; who is behind is told the least sequence that can be had. */
    Step step(Answer.State state, @Nullable String refusal) {
        grantWhatFits();
        long sequence = state == Answer.State.BEHIND ? next() : 0;
        Answer answer = AnswerValue.of(state, now, sequence, expiry(), waiting(), refusal);
        List<Claim> granting = handedOver(-1);
        return new StepValue(
                after(), answer, granting, state == Answer.State.BUSY ? keepers(granting) : List.of(), ended);
    }

    private long expiry() {
        long earliest = granted == 0 ? 0 : Long.MAX_VALUE;
        for (int i = 0; i < granted; i++) {
            earliest = Math.min(earliest, claims.get(i).deadline());
        }
        return earliest;
    }

    /** Returns the claims that this operation granted to owners that were not asking: to others than that one, if any. */
    private List<Claim> handedOver(int asker) {
        List<Claim> result = new ArrayList<>(1);
        for (int i = 0; i < granted; i++) {
            Claim claim = claims.get(i);
            if (i != asker && claim.pending() && !wasGranted(claim)) {
                result.add(claim);
            }
        }
        return result;
    }

    /** Returns the sticky claims that hold what the caller wants, but for those just granted, which are told anyway. */
    private List<Claim> keepers(List<Claim> granting) {
        List<Claim> result = new ArrayList<>(1);
        for (Claim claim : claims.subList(0, granted)) {
            if (claim.sticky() && !granting.contains(claim)) {
                result.add(claim);
            }
        }
        return result;
    }

    private boolean wasGranted(Claim claim) {
        for (Claim old : before.claims.subList(0, before.granted)) {
            if (old.sequence() == claim.sequence() && old.id().equals(claim.id())) {
                return true;
            }
        }
        return false;
    }

    private Resource after() {
        if (!changed) {
            return before;
        }
        long keepUntil = claims.isEmpty() ? now + Resource.MEMORY : 0;
        return new Resource(last, capacity, resized, claims, granted, tombstones, keepUntil);
    }
}
