package io.belay.simulation;

import io.belay.internal.gate.Holds;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** What counts for nothing, whatever its owner believes: claims that are ended by force, or that another server may not keep. */
final class Discounts {
    private final World world;
    /** The last sequence of each claim that does not count: what it is granted after that does. */
    private final Map<ClaimId, Long> last = new HashMap<>();

    Discounts(World world) {
        this.world = world;
    }

    /** Claims are ended by force: what their owners believe until they are told counts for nothing. */
    void evict(Thing thing) {
        thing.evicted = world.scheduler.now();
        discount(thing, claim -> true);
    }

    /** Somebody else may give back what is held. */
    void handOn(Grip grip) {
        grip.handedOn = true;
        discount(grip.claim, Holds.sequence(grip.lease));
        grip.attempt.thing.evicted = world.scheduler.now();
    }

    /** Whoever holds anything is not safe. */
    void all() {
        world.things.forEach(thing -> discount(thing, claim -> true));
    }

    /** What no replica has is granted anew by it. */
    void unreplicated() {
        world.things.forEach(
                thing -> discount(thing, claim -> !isReplicated(thing, claim.id(), claim.sequence(), claim.weight())));
    }

    private void discount(Thing thing, Predicate<Claim> which) {
        world.server.resource(thing.name).holders().stream()
                .filter(which)
                .forEach(claim -> discount(claim.id(), claim.sequence()));
    }

    private void discount(ClaimId id, long sequence) {
        last.merge(id, sequence, Math::max);
    }

    /** Whether somebody else was to end what a claim had under that sequence. */
    boolean has(ClaimId id, long sequence) {
        return sequence <= last.getOrDefault(id, Long.MIN_VALUE);
    }

    boolean has(Grip grip) {
        return last.containsKey(grip.claim) && has(grip.claim, Holds.sequence(grip.lease));
    }

    /** Whether a grant counts: a replica that takes over need not know of it until it is confirmed. */
    boolean count(Grip grip) {
        return !has(grip)
                && (!world.server.isLagging()
                        || isReplicated(grip.attempt.thing, grip.claim, Holds.sequence(grip.lease), grip.weight));
    }

    /** Whether a replica that takes over knows of a grant, of so much at least, and that it was picked up. */
    private boolean isReplicated(Thing thing, ClaimId id, long sequence, int weight) {
        for (Claim claim : world.server.replicated(thing.name).holders()) {
            boolean same = claim.id().equals(id) && claim.sequence() == sequence;
            if (same && claim.weight() >= weight && !claim.pending()) {
                return true;
            }
        }
        return false;
    }
}
