package io.belay.simulation;

import io.belay.spi.Claim;
import io.belay.spi.Resource;

/** Judges that whoever is told that others have something is told the truth, and by a client that can know. */
final class Refusals {
    /** For how long a client is content with an answer: it asks that often how a claim stands which waits. */
    private static final long FRESH = 2_000_000_000;

    /** A wait of less ends before its client can have heard of what others gave back as it began. */
    private static final long ROUND = 20_000_000;

    private final World world;

    Refusals(World world) {
        this.world = world;
    }

    /** A try found it taken, or a wait did until its time was over. */
    void notHad(Attempt attempt) {
        boolean known = isKnown(attempt);
        boolean taken = isTaken(attempt);
        if (attempt.isTry()) {
            world.ledger.end(attempt, "does not get it");
        } else {
            world.ledger.gaveUp(attempt, "does not get it in time");
        }
        if (!taken) {
            world.violate(Oracle.REFUSALS, attempt + " is refused though nobody else had or wanted it");
        }
        if (!known) {
            world.violate(Oracle.FAILURES, attempt + " is told that others have it, and the store has said nothing");
        }
    }

    /** Whether its client can know that others have it: from its store, or as it has or wants the same by itself. */
    private boolean isKnown(Attempt attempt) {
        Site site = attempt.site;
        long since = attempt.began - FRESH;
        return site.answered >= since
                || site.isStalledSince(since) // by its own clock that was not so long ago
                || site.lastUse(attempt.thing) >= attempt.began
                || attempt.metOwn
                || world.ledger.isSharedBySite(attempt);
    }

    /** Whether others had or wanted it at any time since it was asked for, as far as anybody knows. */
    private boolean isTaken(Attempt attempt) {
        Thing thing = attempt.thing;
        boolean any = attempt.mindsAny();
        // What is granted to a machine that is suspended meanwhile is not sure in time.
        boolean brief = !attempt.isTry() && attempt.limit >= 0 && attempt.limit < ROUND;
        long since = brief ? attempt.began - ROUND : attempt.began;
        boolean taken = (any ? thing.claimed : thing.claimedWhole) >= since
                || attempt.site.isTroubledSince(attempt.began)
                || (brief && attempt.site.machine.stepped >= since) // nor to one whose clock is put ahead
                || thing.evicted >= attempt.began // what was there was ended by force
                || thing.resized >= 0 // there may be fewer permits than are wanted
                || attempt.metOwn;
        for (Attempt other : world.ledger.attempts()) {
            taken |= other != attempt && other.thing == thing && (any || other.whole);
        }
        for (Grip other : world.ledger.held()) {
            // Whoever changes a lease may want the whole of it.
            taken |= other.attempt.thing == thing && (any || other.changing || other.weight == Resource.WHOLE);
        }
        for (Grip other : world.ledger.leaving()) {
            taken |= isInTheWay(other, attempt);
        }
        for (Claim claim : world.server.resource(thing.name).claims()) {
            // In the way of others alone, if it does not stay for want of a connection, or as it was to be kept.
            boolean kept = claim.sticky()
                    && claim.id().client() == attempt.site.number
                    && !world.rules.isLeftInVain(claim.id(), attempt.site)
                    && thing.keptUntil < attempt.began;
            taken |= !kept && (any || claim.weight() == Resource.WHOLE);
        }
        return taken;
    }

    /** Whether what a client does not know to be given back keeps another of its users out: it may be in the store no more. */
    static boolean isInTheWay(Grip grip, Attempt attempt) {
        return grip.attempt.site == attempt.site
                && grip.attempt.thing == attempt.thing
                && (attempt.mindsAny() || grip.weight == Resource.WHOLE);
    }
}
