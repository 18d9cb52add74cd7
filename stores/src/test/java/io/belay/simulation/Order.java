package io.belay.simulation;

import io.belay.LockOptions;
import io.belay.spi.Resource;
import java.util.List;

/** Judges that nobody is served before whoever came earlier, where that is promised. */
final class Order {
    /** How many of those who were served last are looked at. */
    private static final int LAST = 60;

    private final World world;
    private final List<Grip> all;

    /** @param all what was had so far, as it was had */
    Order(World world, List<Grip> all) {
        this.world = world;
        this.all = all;
    }

    void check(Grip grip) {
        Attempt mine = grip.attempt;
        if (mine.several || mine.isTry() || mine.queued == Long.MAX_VALUE) {
            return;
        }
        boolean steady = isSteady(mine);
        boolean strict = mine.strict && steady;
        boolean fair = isFair(mine) && (mine.whole || steady); // readers may have several claims
        for (int i = all.size() - 1; (strict || fair) && i >= 0 && i > all.size() - LAST; i--) {
            Grip other = all.get(i);
            boolean comes = other.attempt.thing == mine.thing && !other.attempt.several;
            if (comes && (strict && isStrictlyBefore(other, grip) || fair && isBefore(other, grip))) {
                world.violate(Oracle.ORDER, other + " came later than " + grip + " and was served before it");
            }
        }
    }

    private static LockOptions options(Attempt attempt) {
        return attempt.thing.variants.get(attempt.variant);
    }

    /** Whether it is served in the order in which those come who want it alike, of one client. */
    private static boolean isFair(Attempt attempt) {
        LockOptions options = options(attempt);
        return !options.barging()
                && !attempt.strict
                && options.fixedLease().isEmpty()
                && options.atLeast().isEmpty();
    }

    /** Readers of a client have one token, and may be served at a time. */
    private static boolean isBefore(Grip other, Grip grip) {
        Attempt mine = grip.attempt;
        Attempt later = other.attempt;
        return later.site == mine.site
                && later.variant == mine.variant
                && later.whole == mine.whole
                && !later.strict
                && later.began > mine.queued
                && !(later.isTry() && !other.claim.equals(grip.claim)) // it asked the store for itself
                && (other.token < grip.token || (!mine.whole && other.acquired < grip.acquired));
    }

    /** Whether its claim keeps its place in the store's queue from when it has it. */
    private boolean isSteady(Attempt attempt) {
        LockOptions options = options(attempt);
        long lease = Math.min(
                options.lease().toNanos(),
                options.fixedLease().orElse(options.lease()).toNanos());
        long since = attempt.began - 2 * world.requestTimeout - 500_000_000;
        Thing thing = attempt.thing;
        return lease > 4 * world.longestAnswer // else a grant may come too late, and it is asked for again
                && !attempt.site.isTroubledSince(since)
                && Math.max(thing.bad, Math.max(thing.evicted, thing.resized)) < since;
    }

    /** Whoever had a place in the store's queue when another one came, of whichever client, is served before it. */
    private boolean isStrictlyBefore(Grip other, Grip grip) {
        Attempt mine = grip.attempt;
        // Claims of one client enter one after the other.
        long entered = mine.queued + (1 + world.plan.users()) * world.longestAnswer;
        boolean fell = grip.weight == Resource.WHOLE && other.weight == Resource.WHOLE && other.token < grip.token;
        return other.attempt.strict
                && other.attempt.began > entered
                && (fell || other.since < grip.since - 2 * world.longestAnswer);
    }
}
