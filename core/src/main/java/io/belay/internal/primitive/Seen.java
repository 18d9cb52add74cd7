package io.belay.internal.primitive;

import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.Optional;
import java.util.stream.Stream;

/** What a look at the store shows of a resource. */
final class Seen {
    private Seen() {}

    /** Returns the claims that have a part of the resource. */
    static Stream<Claim> holders(Store.Snapshot seen) {
        return seen.resource().stream()
                .flatMap(resource -> resource.holders().stream())
                .filter(claim -> claim.deadline() > seen.time());
    }

    /** Returns the capacity by which the resource is used, or that is kept for it; empty if the next to come decides it. */
    static Optional<Integer> capacity(Store.Snapshot seen) {
        return seen.resource()
                .filter(resource -> !resource.claims().isEmpty() || resource.resized())
                .map(Resource::capacity);
    }
}
