package io.belay.internal.claim;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;

/** The requests of a {@link LiveClaim}, made as its belief of itself calls for. Guarded by the owner's lock. */
final class Requests {
    private final String resource;
    private final Owner shown;
    private final ClaimSpec spec;
    private final ClaimOwner owner;
    private boolean wantsFresh;

    /** Makes requests; {@code shown} is whom the store shows as the one who entered the claim. */
    Requests(String resource, Owner shown, ClaimSpec spec, ClaimOwner owner) {
        this.resource = resource;
        this.shown = shown;
        this.spec = spec;
        this.owner = owner;
    }

    /** Returns the request that the present phase calls for. */
    Request next(Belief belief, Reweighting weights) {
        return switch (belief.phase()) {
            case ENTERING -> enter(belief);
            case WAITING, HELD -> weights.isPending() ? weights.request(resource, belief) : renewal(belief);
            case YIELDING ->
                new Request.Yield(resource, belief.id(), belief.sequence(), spec.lease(), owner.localWaiters());
            default -> new Request.Leave(resource, belief.id(), belief.isUnclear());
        };
    }

    /** Makes the next renewal ask for a fresh sequence, which the store gives if nobody waits. */
    void wantFresh() {
        wantsFresh = true;
    }

    Request.Renew renewal(Belief belief) {
        boolean fresh = wantsFresh;
        wantsFresh = false;
        return new Request.Renew(resource, belief.id(), belief.sequence(), spec.lease(), owner.localWaiters(), fresh);
    }

    private Request.Enter enter(Belief belief) {
        return new Request.Enter(resource, belief.id(), spec, owner.localWaiters(), shown);
    }
}
