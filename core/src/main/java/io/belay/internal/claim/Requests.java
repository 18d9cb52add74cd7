package io.belay.internal.claim;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/** The requests of a {@link LiveClaim}, made as its belief of itself calls for. Guarded by the owner's lock. */
final class Requests {
    private static final Present NOBODY = new Present("", "", 0);

    private final String resource;
    private final Owner shown;
    private final ClaimSpec spec;
    private final ClaimOwner owner;
    private ClaimSpec first;
    private boolean wantsFresh;
    private boolean kept;
    private long keptUntil;
    private @Nullable Present described;

    /** Makes requests; {@code shown} is whom the store shows as the one who entered the claim. */
    Requests(String resource, Owner shown, ClaimSpec spec, ClaimOwner owner) {
        this.resource = resource;
        this.shown = shown;
        this.spec = spec;
        first = spec;
        this.owner = owner;
    }

    /** Returns the request that the present phase calls for. Of two changes of the claim one is made after the other. */
    Request next(Belief belief, Reweighting weights, Fixing fixing, long now) {
        fixing.follow(weights.mayBeMade());
        return switch (belief.phase()) {
            case ENTERING -> enter(belief);
            case WAITING, HELD ->
                fixing.isPending() && (fixing.isSent() || !weights.isPending())
                        ? fixing.request(resource, belief, now)
                        : weights.isPending() ? weights.request(resource, belief) : renewal(belief, now);
            case YIELDING ->
                new Request.Yield(resource, belief.id(), belief.sequence(), spec.lease(), owner.localWaiters());
            default ->
                fixing.isPending() && !fixing.isOver(now)
                        ? fixing.request(resource, belief, now)
                        : new Request.Leave(resource, belief.id(), belief.isUnclear());
        };
    }

    /** Makes the next renewal ask for a fresh sequence, which the store gives if nobody waits. */
    void wantFresh() {
        wantsFresh = true;
    }

    /** Makes the renewals give the claim a lease that ends no sooner than then. */
    void keepUntil(long instant) {
        kept = true;
        keptUntil = instant;
    }

    Request.Renew renewal(Belief belief, long now) {
        boolean fresh = wantsFresh;
        wantsFresh = false;
        long lease = kept ? Math.max(spec.lease(), (keptUntil - now + 999) / 1000) : spec.lease();
        return new Request.Renew(resource, belief.id(), belief.sequence(), lease, owner.localWaiters(), fresh);
    }

    /**
     * Returns the request that shows who has the lock now, where that is not what was shown last; null if it is, or if
     * nobody knows the store's time.
     */
    Request.@Nullable Describe description(Belief belief, @Nullable Present now) {
        Belief.Anchor anchor = belief.anchor();
        Present shows = now == null ? NOBODY : now;
        if (anchor == null || shows.equals(described)) {
            return null;
        }
        described = shows;
        long since = now == null ? 0 : Math.max(1, anchor.time() + (now.since() - anchor.sent()) / 1000);
        Owner owner = shown.withThread(shows.thread(), shows.behalf()).withSince(since);
        return new Request.Describe(resource, belief.id(), belief.sequence(), owner);
    }

    /** Forgets what was shown last, as it may not have been. */
    void notDescribed() {
        described = null;
    }

    private Request.Enter enter(Belief belief) {
        return new Request.Enter(resource, belief.id(), first, owner.localWaiters(), shown);
    }

    /** Makes the enter ask for a lease of at least that many microseconds, for the time until the first renewal. */
    void enterFor(long atLeast) {
        first = spec.withLease(Math.max(spec.lease(), atLeast));
    }
}
