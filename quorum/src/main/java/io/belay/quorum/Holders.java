package io.belay.quorum;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The holder of a lock, put together from what members say. */
final class Holders {
    private Holders() {}

    /**
     * Returns the resource with the claim that a majority lists, or none. Where a member had lost the claim and was
     * given it again, its sequence is a later one, so the least is the holder's. Who of its owners is shown has had it
     * last, as a member may not have heard of that one; and so it is with the end, where that was moved.
     */
    static Store.Snapshot of(List<Store.Snapshot> all, Quorum quorum) {
        Map<ClaimId, List<Listed>> votes = new HashMap<>();
        for (Store.Snapshot snapshot : all) {
            for (Claim claim : snapshot.resource().map(Resource::holders).orElse(List.of())) {
                if (claim.deadline() > snapshot.time()) {
                    votes.computeIfAbsent(claim.id(), id -> new ArrayList<>()).add(new Listed(claim, snapshot.time()));
                }
            }
        }
        return votes.values().stream()
                .filter(listed -> listed.size() >= quorum.majority)
                .map(Holders::held)
                .findAny()
                .orElseGet(() -> Store.Snapshot.of(quorum.micros(), Optional.empty()));
    }

    /** Returns the id of a claim on a member that lists it; empty if it does not. */
    static Optional<ClaimId> onMember(Store.Snapshot seen, ClaimId shown) {
        return seen.resource().stream()
                .flatMap(resource -> resource.claims().stream())
                .map(Claim::id)
                .filter(id -> id.client() == shown.client() && QuorumClaim.number(id) == shown.number())
                .findFirst();
    }

    private record Listed(Claim claim, long time) {}

    private static Store.Snapshot held(List<Listed> all) {
        Listed least = Collections.min(all, Comparator.comparing(one -> one.claim.sequence()));
        Listed latest = Collections.max(
                all, Comparator.comparing(one -> one.claim.owner().since()));
        Listed fixed = Collections.max(all, Comparator.comparing(one -> one.claim.reweights()));
        long deadline = fixed.claim.deadline() - fixed.time + least.time;
        return Store.Snapshot.of(
                least.time,
                Optional.of(held(
                        least.claim.withFixedLease(fixed.claim.fixedLease()).withReweights(fixed.claim.reweights()),
                        deadline,
                        latest.claim.owner())));
    }

    private static Resource held(Claim claim, long deadline, Owner owner) {
        ClaimId id = ClaimId.of(claim.id().client(), QuorumClaim.number(claim.id()));
        Claim shown = Claim.of(id, claim.weight(), claim.sequence(), deadline, owner)
                .withFixedLease(claim.fixedLease())
                .withReweights(claim.reweights())
                .withEntered(claim.entered())
                .withLocalWaiters(claim.localWaiters())
                .withSticky(claim.sticky());
        return Resource.of(claim.sequence(), Resource.WHOLE).withClaims(List.of(shown), 1);
    }
}
