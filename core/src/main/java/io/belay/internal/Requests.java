package io.belay.internal;

import io.belay.spi.Request;

/** What a {@link LiveClaim} says to the store, as its belief of itself calls for. */
record Requests(Engine engine, String resource, String thread, Terms terms, LiveClaim.Owner owner) {
    Request.Enter enter(Belief belief) {
        return new Request.Enter(
                resource,
                belief.id(),
                terms.capacity(),
                terms.weight(),
                terms.lease(),
                terms.hold(),
                terms.ifFree(),
                owner.localWaiters(),
                terms.sticky(),
                engine.owner(thread));
    }

    Request.Renew renewal(Belief belief, boolean fresh) {
        return new Request.Renew(resource, belief.id(), belief.sequence(), terms.lease(), owner.localWaiters(), fresh);
    }

    Request.Yield yielding(Belief belief) {
        return new Request.Yield(resource, belief.id(), belief.sequence(), terms.lease(), owner.localWaiters());
    }

    Request.Leave leave(Belief belief) {
        return new Request.Leave(resource, belief.id(), belief.isUnclear());
    }
}
