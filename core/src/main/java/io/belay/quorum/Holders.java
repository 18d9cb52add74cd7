package io.belay.quorum;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who holds a lock, put together from what members say. */
final class Holders {
    private Holders() {}

    /** The resource with the claim that a majority lists, and as one such member says it; or with none. */
    static Store.Snapshot of(List<Store.Snapshot> all, Quorum quorum) {
        Map<ClaimId, Integer> votes = new HashMap<>();
        for (Store.Snapshot snapshot : all) {
            for (Claim claim : snapshot.resource().map(Resource::holders).orElse(List.of())) {
                boolean alive = claim.deadline() > snapshot.time();
                if (alive && votes.merge(claim.id(), 1, Integer::sum) >= quorum.majority) {
                    return new Store.Snapshot(snapshot.time(), Optional.of(held(claim)));
                }
            }
        }
        return new Store.Snapshot(quorum.micros(), Optional.empty());
    }

    private static Resource held(Claim claim) {
        ClaimId id = new ClaimId(claim.id().client(), QuorumClaim.number(claim.id()));
        Claim shown = new Claim(
                id,
                claim.weight(),
                claim.sequence(),
                claim.deadline(),
                claim.hold(),
                false,
                0,
                claim.entered(),
                claim.localWaiters(),
                claim.sticky(),
                claim.owner());
        return new Resource(claim.sequence(), Resource.WHOLE, false, List.of(shown), 1, List.of(), 0);
    }
}
