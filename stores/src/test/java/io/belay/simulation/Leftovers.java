package io.belay.simulation;

import io.belay.LockOptions;
import io.belay.spi.Claim;
import io.belay.spi.Resource;
import java.time.Duration;

/** Judges what clients leave in the store that are closed or dead. */
final class Leftovers {
    private static final long MARGIN = 20_000_000;

    private final World world;

    Leftovers(World world) {
        this.world = world;
    }

    /** A client is closed: it has left all that it has, where the store could hear that, but what is kept. */
    void closed(Site site, long began) {
        long since = began - Math.max(2 * world.requestTimeout, world.server.outlives());
        for (Thing thing : world.things) {
            boolean calm = !site.isTroubledSince(since) && thing.bad < since;
            if (!calm || thing.keptUntil > world.scheduler.now()) {
                continue;
            }
            for (Claim claim : world.server.resource(thing.name).claims()) {
                boolean stays = claim.deadline() > world.server.micros() && !world.wasLeftInVain(claim);
                if (site.hasHad(claim.id().client()) && stays && !isKept(site, thing, claim)) {
                    world.violate(
                            Oracle.CLEAN_STORE,
                            site + " is closed, and still has " + Words.of(claim.id()) + " on " + thing);
                }
            }
        }
    }

    /** Whether a claim may be that of somebody who has not heard yet that it was had, and so for how long it is kept at least. */
    private boolean isKept(Site site, Thing thing, Claim claim) {
        long left = claim.deadline() - world.server.micros();
        return world.ledger.attempts().stream()
                .filter(attempt -> attempt.site == site && attempt.thing == thing && attempt.isAsynchronous())
                .flatMap(attempt -> thing.variants.get(attempt.variant).atLeast().stream())
                .anyMatch(least -> left * 1000 <= least.toNanos());
    }

    /** A client dies: what it has is free when its lease ends, or later where it was to stay taken for longer. */
    void died(Site site) {
        if (!site.isTroubledSince(world.scheduler.now())) {
            // What it has sent may be done until then, by another server, whose clock is ahead.
            world.scheduler.later(world.longestAnswer, () -> isMortal(site));
        }
    }

    private void isMortal(Site site) {
        long now = world.server.micros();
        for (Thing thing : world.things) {
            Resource resource = world.server.resource(thing.name);
            for (Claim claim : resource.claims()) {
                boolean waits = resource.claims().indexOf(claim) >= resource.granted();
                long longest = waits ? lease(thing) : longest(thing);
                long latest = now + (longest + MARGIN + world.server.outlives()) / 1000;
                if (site.hasHad(claim.id().client()) && claim.deadline() > latest) {
                    world.violate(
                            Oracle.CLEAN_STORE,
                            Words.of(claim.id()) + " on " + thing + " lasts for " + (claim.deadline() - now) / 1000
                                    + " ms longer after its process died");
                }
            }
        }
    }

    /** For how long a claim may wait of which nothing more is heard. */
    private static long lease(Thing thing) {
        long longest = Resource.PICK_UP * 1000;
        for (LockOptions options : thing.variants) {
            longest = Math.max(longest, options.lease().toNanos());
        }
        return longest;
    }

    /** For how long a claim may be held of which nothing more is heard. */
    private long longest(Thing thing) {
        long longest = lease(thing);
        for (LockOptions options : thing.variants) {
            Duration fixed = options.fixedLease().orElse(Duration.ZERO);
            Duration least = options.atLeast().orElse(Duration.ZERO);
            longest = Math.max(longest, Math.max(fixed.toNanos(), least.toNanos()));
        }
        return world.has(Use.MOVED_ENDS) ? Math.max(longest, User.LATEST_END) : longest;
    }
}
