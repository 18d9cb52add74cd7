package io.belay.internal.claim;

import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.claim.SimClient.SimClaim;
import io.belay.internal.claim.Violation.Kind;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import org.jspecify.annotations.Nullable;

/** What must hold in every state, and of every step. */
final class SimChecks {
    private SimChecks() {}

    static @Nullable Violation state(SimSetup setup, SimWorld world) {
        long now = world.nanos();
        long weight = 0;
        StringBuilder holders = new StringBuilder();
        for (int i = 0; i < world.clients.length; i++) {
            if (world.clients[i].isHeld(now)) {
                weight += world.clients[i].current().weight();
                holders.append(' ')
                        .append(SimMoves.name(
                                world.clients[i].current().belief().id()));
            }
        }
        if (weight > world.room) {
            return new Violation(Kind.TWO_HOLDERS, "all believe to hold it:" + holders);
        }
        if (weight > 0 && world.micros() < world.kept) {
            return new Violation(Kind.TWO_HOLDERS, "it is kept, and believed to be held:" + holders);
        }
        return world.net.isEmpty() ? quiet(setup, world) : null;
    }

    /** When nothing is in flight. */
    private static @Nullable Violation quiet(SimSetup setup, SimWorld world) {
        for (int i = 0; i < world.clients.length; i++) {
            SimClaim claim = world.clients[i].current();
            if (claim != null && world.clients[i].timer() == Long.MAX_VALUE) {
                return new Violation(
                        Kind.STUCK,
                        SimMoves.name(claim.belief().id()) + " is "
                                + claim.belief().phase() + " with nothing in flight and no timer");
            }
        }
        for (int at = 0; at < world.store.claims().size(); at++) {
            Claim claim = world.store.claims().get(at);
            SimClient owner = world.clients[(int) claim.id().client()];
            boolean kept = owner.isKept(claim.id(), claim.sequence());
            if (claim.deadline() <= world.micros() || !owner.isAlive() || owner.isLeaving(claim.id()) || kept) {
                continue;
            }
            if (!owner.isInterestedIn(claim.id())) {
                return new Violation(Kind.ORPHAN, "nobody knows " + SimMoves.name(claim.id()) + " any more");
            }
            if (at < world.store.granted() && setup.losses() == 0 && misses(world, owner, claim)) {
                return new Violation(Kind.GRANT_MISSED, SimMoves.name(claim.id()) + " is granted, its owner waits on");
            }
        }
        return null;
    }

    private static boolean misses(SimWorld world, SimClient owner, Claim claim) {
        Belief belief = owner.current().belief();
        return (belief.phase() != Phase.HELD || belief.sequence() != claim.sequence()) && owner.timer() > world.nanos();
    }

    /** What is granted stays granted until its owner, or time, or force ends that. */
    static @Nullable Violation revoked(Resource before, Resource after, Request request, long now) {
        for (Claim claim : before.holders()) {
            boolean mayEnd = claim.deadline() <= now
                    || request instanceof Request.Evict
                    || (request instanceof Request.OfClaim about
                            && about.id().equals(claim.id())
                            && (request instanceof Request.Leave
                                    || request instanceof Request.Yield
                                    || request instanceof Request.Skip));
            if (!mayEnd && after.holders().stream().noneMatch(c -> c.id().equals(claim.id()))) {
                return new Violation(
                        Kind.GRANT_REVOKED, SimMoves.name(claim.id()) + " was granted until " + claim.deadline());
            }
        }
        return null;
    }

    /** Tokens rise in the order in which conflicting beliefs begin. */
    static @Nullable Violation token(SimWorld world, SimClaim claim, boolean sticky) {
        long last = claim.belief().sequence() + (sticky ? Claim.STICKY_SEQUENCES - 1 : 0);
        long sequence = claim.belief().sequence();
        boolean whole = claim.weight() == Resource.WHOLE;
        long below = whole ? world.highest : world.highestWhole;
        world.highest = Math.max(world.highest, last);
        if (whole) {
            world.highestWhole = Math.max(world.highestWhole, last);
        }
        return sequence > below
                ? null
                : new Violation(Kind.TOKEN_FELL, "sequence " + sequence + " is believed in after " + below);
    }

    private static boolean keeps(SimClient client, Claim head, long now) {
        return head.sticky() && client.runs() && client.isInterestedIn(head.id()) && client.isHeld(now);
    }

    /**
     * Judges the passing of a tick: for how long has the same claim stood first without anybody believing in it, while
     * a client that runs waits? A claim whose owner was heard of may, until it expires. A keeper uses nothing, so it
     * counts as nobody.
     */
    static @Nullable Violation standstill(SimSetup setup, SimWorld world, SimWorld next) {
        boolean wanted = false;
        boolean held = false;
        for (int i = 0; i < world.clients.length; i++) {
            SimClient client = world.clients[i];
            SimClaim claim = client.current();
            wanted |= client.runs() && claim != null && claim.belief().phase() != Phase.HELD;
            held |= client.isHeld(world.nanos()) && !setup.roles().get(i).sticky();
        }
        Claim head = world.store.granted() == 0 ? null : world.store.claims().get(0);
        boolean kept = head != null && keeps(world.clients[(int) head.id().client()], head, world.nanos());
        boolean excused = !kept && head != null && !head.pending() && head.deadline() > world.micros();
        if (!wanted || held || excused) {
            next.standstill = 0;
            next.first = null;
            return null;
        }
        ClaimId first = head == null ? null : head.id();
        boolean same = world.standstill > 0 && java.util.Objects.equals(first, world.first);
        next.standstill = same ? world.standstill + 1 : 1;
        next.first = first;
        return next.standstill <= setup.longestStandstill()
                ? null
                : new Violation(
                        Kind.STANDSTILL,
                        "for " + next.standstill + " ticks nobody got anywhere because of "
                                + (first == null ? "nothing" : SimMoves.name(first)));
    }
}
