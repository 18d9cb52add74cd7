package io.belay.quorum;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
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
     * given it again, its sequence is a later one, so the least is the holder's.
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
                .map(listed -> Collections.min(listed, Comparator.comparing(one -> one.claim.sequence())))
                .map(one -> new Store.Snapshot(one.time, Optional.of(held(one.claim))))
                .findAny()
                .orElseGet(() -> new Store.Snapshot(quorum.micros(), Optional.empty()));
    }

    private record Listed(Claim claim, long time) {}

    private static Resource held(Claim claim) {
        ClaimId id = new ClaimId(claim.id().client(), QuorumClaim.number(claim.id()));
        Claim shown = Claim.of(id, claim.weight(), claim.sequence(), claim.deadline(), claim.owner())
                .withFixedLease(claim.fixedLease())
                .withEntered(claim.entered())
                .withLocalWaiters(claim.localWaiters())
                .withSticky(claim.sticky());
        return new Resource(claim.sequence(), Resource.WHOLE, false, List.of(shown), 1, List.of(), 0);
    }
}
