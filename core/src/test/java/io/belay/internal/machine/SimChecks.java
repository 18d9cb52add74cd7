package io.belay.internal.machine;

import io.belay.internal.machine.SimSetup.Mishap;
import io.belay.internal.machine.Violation.Kind;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold in every state, and of every step. */
final class SimChecks {
    private SimChecks() {}

    static @Nullable Violation state(SimSetup setup, SimWorld world, Values values) {
        boolean quiet = world.net.length == 0;
        boolean knows = !setup.has(Mishap.SETBACK)
                && (quiet || !setup.has(Mishap.EVICTION)); // else word of it may be on its way
        Violation found = knows ? exclusion(world) : null;
        if (found == null && quiet) {
            found = quiet(setup, world, (Resource) values.get(world.store));
        }
        return found;
    }

    // Who believes to hold.

    private static @Nullable Violation exclusion(SimWorld world) {
        long weight = 0;
        for (SimClient client : world.clients) {
            weight += weight(client, world.tick);
        }
        if (weight > world.room) {
            return new Violation(Kind.TWO_HOLDERS, "they believe to hold " + weight + " of " + world.room);
        }
        if (weight > 0 && world.micros() < world.kept) {
            return new Violation(Kind.TWO_HOLDERS, "it is kept, and believed to be held");
        }
        return null;
    }

    /** Returns how much the callers of a client believe to hold; those of a shared claim hold it together. */
    private static long weight(SimClient client, int tick) {
        long sum = 0;
        List<Stay> counted = new ArrayList<>(0);
        for (SimCaller caller : client.callers) {
            Stay stay = caller.stay();
            if (stay != null && caller.believes(client.nanos(tick), client.wallOffset())) {
                sum += counted.contains(stay) && client.role.terms().isShared ? 0 : stay.weight();
                counted.add(stay);
            }
        }
        return sum;
    }

    /** Tokens rise in the order in which conflicting holds begin. */
    static @Nullable Violation tokens(SimWorld world, SimStep step) {
        for (long token : step.tokens) {
            boolean alone = !step.client.role.terms().isShared;
            long below = alone ? world.highest : world.highestWhole;
            world.highest = Math.max(world.highest, token);
            if (alone) {
                world.highestWhole = Math.max(world.highestWhole, token);
            }
            if (token <= below) {
                return new Violation(Kind.TOKEN_FELL, "the token " + token + " is given after " + below);
            }
        }
        return null;
    }

    /** Where the store forgets tokens may fall, and none is given twice. */
    static @Nullable Violation tokensOnce(SimWorld world, SimStep step, Values values) {
        for (Long token : step.tokens) {
            SimWorld.Given before = (SimWorld.Given) values.get(world.given);
            if (before.tokens().contains(token)) {
                return new Violation(Kind.TOKEN_FELL, "the token " + token + " is given twice");
            }
            List<Long> tokens = new ArrayList<>(before.tokens());
            tokens.add(token);
            world.given = values.number(new SimWorld.Given(tokens));
        }
        return null;
    }

    // What must hold when nothing is in flight.

    private static @Nullable Violation quiet(SimSetup setup, SimWorld world, Resource store) {
        for (SimClient client : world.clients) {
            Violation found = client.runs() ? quiet(setup, world, client) : null;
            if (found != null) {
                return found;
            }
        }
        for (int at = 0; at < store.claims().size() && !setup.has(Mishap.SETBACK); at++) {
            Claim claim = store.claims().get(at);
            SimClient owner = world.clients[(int) claim.id().client()];
            SimClient.Kept kept = owner.keeps(claim.id());
            if (claim.deadline() > world.micros() && kept != null && isLess(claim, kept)) {
                return new Violation(
                        Kind.NOT_KEPT,
                        SimWords.name(claim.id()) + " has the weight " + claim.weight() + " until " + claim.deadline()
                                + ", and is to be kept with " + kept.weight() + " until " + kept.until());
            }
            if (claim.deadline() <= world.micros()
                    || owner.life == SimClient.Life.DEAD
                    || kept != null
                    || setup.has(Mishap.UNUSABLE)) {
                continue;
            }
            Stay stay = owner.find(claim.id());
            if (stay == null && !owner.state.isDown()) {
                return new Violation(Kind.ORPHAN, "nobody knows " + SimWords.name(claim.id()) + " any more");
            }
            if (stay != null && at < store.granted() && !loses(setup) && misses(world, owner, stay, claim)) {
                return new Violation(Kind.GRANT_MISSED, SimWords.name(claim.id()) + " is granted, its owner waits on");
            }
        }
        return null;
    }

    private static boolean isLess(Claim claim, SimClient.Kept kept) {
        boolean same = claim.sequence() == kept.sequence(); // else it has entered anew, for nobody
        return same && (claim.weight() > kept.weight() || claim.deadline() < kept.until());
    }

    private static boolean loses(SimSetup setup) {
        return setup.has(Mishap.LOSS) || setup.has(Mishap.FAILURE) || setup.has(Mishap.FAILED_ANSWER);
    }

    private static boolean misses(SimWorld world, SimClient owner, Stay stay, Claim claim) {
        SimShell shell = owner.shellOf(stay);
        return !stay.isOver()
                && (!stay.isHeld() || stay.sequence() != claim.sequence())
                && shell != null
                && isLater(shell.machine.due(), owner.nanos(world.tick));
    }

    private static boolean isLater(long due, long now) {
        return due == Caller.NEVER || due - now > 0;
    }

    private static @Nullable Violation quiet(SimSetup setup, SimWorld world, SimClient client) {
        long now = client.nanos(world.tick);
        boolean held = client.callers.stream().anyMatch(SimCaller::holds);
        boolean due = client.shells.stream().anyMatch(shell -> shell.machine.due() != Caller.NEVER);
        for (SimCaller caller : client.callers) {
            boolean stuck = caller.isPending() && !held && !due && !caller.invited;
            if (stuck || (!due && caller.isReleased() && caller.releases == 0)) {
                return new Violation(
                        Kind.STUCK,
                        "a caller of " + SimWords.name(client.number) + " waits with nothing in flight and no timer");
            }
            if (!caller.isPending() && caller.ends == 0) {
                return new Violation(
                        Kind.UNTOLD,
                        "a caller of " + SimWords.name(client.number) + " was not told how its wait ended");
            }
            boolean unsure = caller.stay() != null && caller.stay().isUnsure(client.wallOffset());
            if (setup.prompt()
                    && caller.holds()
                    && !unsure
                    && !caller.believes(now, client.wallOffset())
                    && !due(client, now)) {
                return new Violation(
                        Kind.UNTOLD, "a caller of " + SimWords.name(client.number) + " was not told of its loss");
            }
        }
        if (client.callers.isEmpty() && !due && !client.shells.isEmpty() && !client.role.isObserver()) {
            return new Violation(Kind.LEFT_BEHIND, "a machine of " + SimWords.name(client.number) + " stays");
        }
        return null;
    }

    /** Returns whether a lease or a hold has ended of which nobody was told. */
    static boolean isOver(SimClient client, long now) {
        for (SimCaller c : client.callers) {
            if (c.holds() && c.limit() != Caller.NEVER && c.limit() - now <= 0) {
                return true;
            }
        }
        return client.anyStay(stay -> stay.isHeld() && stay.until() - now <= 0);
    }

    private static boolean due(SimClient client, long now) {
        for (SimShell shell : client.shells) {
            if (!isLater(shell.machine.due(), now)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether nothing is left to do before time passes: nothing in flight to those who run, and nothing due. */
    static boolean isQuiet(SimWorld world, Values values) {
        for (int number : world.net) {
            SimMessage message = (SimMessage) values.get(number);
            if (message instanceof SimMessage.Asked || world.clients[message.client()].runs()) {
                return false;
            }
        }
        for (SimClient client : world.clients) {
            if (client.runs()
                    && (client.isWaking() || due(client, client.nanos(world.tick)) || client.checked < client.slept)) {
                return false;
            }
        }
        return true;
    }

    /** Whoever holds across a jump of the store's clock is not safe, so it is not asked for. */
    static boolean nobodyKnowsOfAGrant(SimWorld world, Values values) {
        for (SimClient client : world.clients) {
            if (client.anyStay(stay -> stay.isHeld() || stay.hinted > 0)) {
                return false;
            }
        }
        for (int number : world.net) {
            Object m = values.get(number);
            if (m instanceof SimMessage.Pushed p && p.push().granted()
                    || m instanceof SimMessage.Answered a
                            && a.answer() != null
                            && a.answer().state() == Answer.State.GRANTED) {
                return false;
            }
        }
        return true;
    }

    // What must hold of a step.

    /** What is granted stays granted until its owner, or time, or force ends that. */
    static @Nullable Violation revoked(Resource before, Resource after, Request request, long now) {
        for (Claim claim : before.holders()) {
            boolean mayEnd = claim.deadline() <= now
                    || request instanceof Request.Evict
                    || (request instanceof Request.OfClaim about
                            && about.id().equals(claim.id())
                            && (request instanceof Request.Leave || request instanceof Request.Yield));
            if (!mayEnd && after.holders().stream().noneMatch(c -> c.id().equals(claim.id()))) {
                return new Violation(
                        Kind.GRANT_REVOKED, SimWords.name(claim.id()) + " was granted until " + claim.deadline());
            }
        }
        return null;
    }

    /**
     * Judges the passing of a tick: for how long has the same claim stood first of those in which nobody believes, while a caller of a
     * client that runs waits for what fits beside all that is believed to be held? A claim whose owner was heard of may, until it
     * expires. One that nobody uses and that is kept for the next use counts as nobody's.
     */
    static @Nullable Violation standstill(SimSetup setup, SimWorld world, SimWorld next, Resource store) {
        long heaviest = 0;
        long held = 0;
        for (SimClient client : world.clients) {
            boolean waits = client.runs() && client.callers.stream().anyMatch(Caller::isPending);
            heaviest = Math.max(heaviest, waits ? client.role.terms().spec.weight() : 0);
            held += weight(client, world.tick);
        }
        boolean fits = held == 0 || held + heaviest <= store.capacity();
        Claim head = store.holders().stream()
                .filter(claim -> !isBelieved(world, claim))
                .findFirst()
                .orElse(null);
        boolean kept = head != null && isUnused(world.clients[(int) head.id().client()], head);
        Stay stay = head == null ? null : world.clients[(int) head.id().client()].find(head.id());
        boolean left = stay != null && stay.isOver();
        boolean excused = !kept && !left && head != null && !head.pending() && head.deadline() > world.micros();
        if (heaviest == 0 || !fits || excused || world.micros() < world.kept) {
            next.standstill = 0;
            next.first = 0;
            return null;
        }
        int first = head == null ? 0 : name(head.id());
        boolean same = world.standstill > 0 && first == world.first;
        next.standstill = same ? world.standstill + 1 : 1;
        next.first = first;
        return next.standstill <= setup.longestStandstill()
                ? null
                : new Violation(
                        Kind.STANDSTILL,
                        "for " + next.standstill + " ticks nobody got anywhere because of "
                                + (head == null ? "nothing" : SimWords.name(head.id())));
    }

    private static boolean isBelieved(SimWorld world, Claim claim) {
        SimClient owner = world.clients[(int) claim.id().client()];
        Stay stay = owner.find(claim.id());
        return owner.callers.stream()
                .anyMatch(caller -> caller.stay() == stay
                        && stay != null
                        && caller.believes(owner.nanos(world.tick), owner.wallOffset()));
    }

    private static boolean isUnused(SimClient owner, Claim head) {
        Stay stay = owner.find(head.id());
        return head.sticky() && owner.runs() && stay != null && stay.isHeld();
    }

    private static int name(ClaimId id) {
        return (int) (1 + id.client() * 100 + id.number());
    }
}
