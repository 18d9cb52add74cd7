package io.belay.simulation;

import io.belay.spi.Claim;
import io.belay.spi.Resource;
import org.jspecify.annotations.Nullable;

/** Judges whether somebody waits for what nobody uses, or for what is left of it, for longer than it takes to tell, while nothing is wrong. */
final class Standstill {
    private static final long LONGEST = 400_000_000;

    /** For how long a client asks for nothing after a grant that came too late, as a trouble may make it. */
    private static final long PAUSE = 1_000_000_000;

    /** How often it looks, in steps. */
    private static final int EVERY = 16;

    private final World world;
    private final boolean judges;
    private int countdown = EVERY;

    Standstill(World world) {
        this.world = world;
        // Who has a lock and is not told so for long uses nothing.
        judges = world.plan.tellsAtOnce();
    }

    void check() {
        if (!judges || --countdown > 0) {
            return;
        }
        countdown = EVERY;
        for (Thing thing : world.things) {
            Attempt waits = firstInVain(thing);
            if (waits == null) {
                thing.idleSince = Long.MAX_VALUE;
            } else if (thing.idleSince == Long.MAX_VALUE) {
                thing.idleSince = world.scheduler.now();
            } else if (world.scheduler.now() - thing.idleSince > LONGEST) {
                world.violate(
                        Oracle.STANDSTILL,
                        waits + " is in vain for " + (world.scheduler.now() - thing.idleSince) / 1_000_000
                                + " ms though there is room: " + world.server.resource(thing.name));
            }
        }
    }

    /** Somebody who waits though whoever waits fits beside all who hold; nobody if something is wrong. */
    private @Nullable Attempt firstInVain(Thing thing) {
        long since = world.scheduler.now() - LONGEST;
        long calm = since - Math.max(PAUSE, world.server.outlives());
        // Nodes tell of no other number of permits: who waits finds that out by asking.
        long asked = world.plan.shape() == Shape.NODES ? since - Resource.PICK_UP * 1000 : since;
        if (world.troubled > calm
                || thing.bad > calm
                || thing.keptUntil > since
                || thing.evicted > since
                || thing.resized > asked) {
            return null;
        }
        Resource seen = world.server.resource(thing.name);
        long held = world.ledger.held(thing);
        long room = held == 0 ? Resource.WHOLE : Math.min(thing.capacity, seen.capacity()) - held;
        for (Claim claim : seen.claims()) {
            Site owner = world.site(claim.id().client());
            if (owner == null || owner.closing || owner.machine.dead || owner.machine.troubled > calm) {
                return null;
            }
        }
        Attempt first = null;
        for (Attempt attempt : world.ledger.attempts()) {
            if (attempt.thing == thing && attempt.several) {
                return null; // it may have this one, and wait for another
            } else if (attempt.thing == thing && attempt.weight > room) {
                return null; // it may be the first of those who wait
            }
            boolean counts = attempt.thing == thing && attempt.began < since && !attempt.site.machine.dead;
            if (counts && attempt.site.machine.troubled > since - PAUSE) {
                return null;
            }
            first = counts && first == null ? attempt : first;
        }
        return first;
    }
}
