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

    /** What a server that took over knows of a claim under a sequence: its raise was lost. */
    private record Part(long sequence, int weight) {}

    private final Map<ClaimId, Part> parts = new HashMap<>();

    /** When a claim was taken away by force, and under which sequence. */
    private record Forced(long sequence, long at) {}

    private final Map<ClaimId, Forced> forced = new HashMap<>();

    Discounts(World world) {
        this.world = world;
    }

    /** Claims are ended by force: what their owners believe until they are told counts for nothing. */
    void evict(Thing thing) {
        thing.evicted = world.scheduler.now();
        world.server.resource(thing.name).holders().forEach(claim -> force(claim.id(), claim.sequence()));
        discount(thing, claim -> true);
    }

    /** Somebody else has given back what is held. */
    void handedOn(Grip grip) {
        force(grip.claim, Holds.sequence(grip.lease));
    }

    private void force(ClaimId id, long sequence) {
        Forced last = new Forced(sequence, world.scheduler.now());
        forced.merge(id, last, (before, after) -> after.sequence > before.sequence ? after : before);
    }

    /** When what its user had was taken away by force first; never if it was not. */
    long forcedAt(Grip grip) {
        Forced last = forced.get(grip.claim);
        return last != null && had(grip) <= last.sequence ? last.at : Long.MAX_VALUE;
    }

    /** Somebody else gives back what is held. */
    void handOn(Grip grip) {
        grip.handedOn = true;
        discount(grip.claim, Holds.sequence(grip.lease));
        grip.attempt.thing.evicted = world.scheduler.now();
    }

    /** Whoever holds anything is not safe. */
    void all() {
        world.things.forEach(thing -> discount(thing, claim -> true));
    }

    /** What no replica has is granted anew by it; of a claim that was raised it may know the former weight. */
    void unreplicated() {
        for (Thing thing : world.things) {
            for (Claim claim : world.server.resource(thing.name).holders()) {
                int known = replicated(thing, claim.id(), claim.sequence());
                if (known < claim.weight()) {
                    discount(claim.id(), claim.sequence());
                    parts.put(claim.id(), new Part(claim.sequence(), known));
                }
            }
        }
    }

    private void discount(Thing thing, Predicate<Claim> which) {
        world.server.resource(thing.name).holders().stream()
                .filter(which)
                .forEach(claim -> discount(claim.id(), claim.sequence()));
    }

    private void discount(ClaimId id, long sequence) {
        last.merge(id, sequence, Math::max);
        parts.remove(id);
    }

    /** Whether somebody else was to end what a claim had under that sequence. */
    boolean has(ClaimId id, long sequence) {
        return sequence <= last.getOrDefault(id, Long.MIN_VALUE);
    }

    /** Whether somebody else was to end what a claim had at any time. */
    boolean hasAny(ClaimId id) {
        return last.containsKey(id);
    }

    /** Its claim may have entered anew since it was had, and is not what its user had before. */
    boolean has(Grip grip) {
        return hasAny(grip.claim) && has(grip.claim, had(grip));
    }

    private static long had(Grip grip) {
        return Math.min(grip.token / Claim.TOKENS, Holds.sequence(grip.lease));
    }

    /** Whether all of a grant counts: a replica that takes over need not know of it until it is confirmed. */
    boolean count(Grip grip) {
        return !has(grip) && weight(grip) == grip.weight;
    }

    /** How much of a grant others must leave alone. */
    int weight(Grip grip) {
        long sequence = Holds.sequence(grip.lease);
        Part part = parts.get(grip.claim);
        boolean isPart = part != null && part.sequence == sequence;
        int known = isPart ? part.weight : has(grip) ? 0 : grip.weight;
        if (world.server.isLagging()) {
            known = Math.min(known, replicated(grip.attempt.thing, grip.claim, sequence));
        }
        return Math.min(known, grip.weight);
    }

    /** The weight with which a replica that takes over knows of a grant that was picked up; 0 if it does not. */
    private int replicated(Thing thing, ClaimId id, long sequence) {
        for (Claim claim : world.server.replicated(thing.name).holders()) {
            if (claim.id().equals(id) && claim.sequence() == sequence && !claim.pending()) {
                return claim.weight();
            }
        }
        return 0;
    }
}
