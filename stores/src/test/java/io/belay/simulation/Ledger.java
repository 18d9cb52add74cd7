package io.belay.simulation;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Holds;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who wants what, and who has it: judges what clients promise. */
final class Ledger {
    private final World world;
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Grip> grips = new ArrayList<>();
    /** What users have begun to give back, and their clients have not heard of yet. */
    private final List<Grip> leaving = new ArrayList<>();

    private final List<Grip> all = new ArrayList<>();
    private final Map<Actor, Attempt> waiting = new HashMap<>();
    private final Order order;

    final List<Grip> held() {
        return grips;
    }

    /** How much of a thing is held, or was until its client heard that it is given back; all of it while that changes. */
    long held(Thing thing) {
        long sum = 0;
        for (Grip grip : grips) {
            boolean counts = grip.attempt.thing == thing;
            sum += !counts ? 0 : grip.changing ? Resource.WHOLE : grip.weight;
        }
        for (Grip grip : leaving) {
            sum += grip.attempt.thing == thing ? grip.weight : 0;
        }
        return sum;
    }

    List<Attempt> attempts() {
        return attempts;
    }

    List<Grip> leaving() {
        return leaving;
    }

    Ledger(World world) {
        this.world = world;
        order = new Order(world, all);
    }

    private long now() {
        return world.scheduler.now();
    }

    // What users tell.

    Attempt begin(Site site, Thing thing, int variant, String what, boolean whole) {
        Actor actor = world.scheduler.current();
        Attempt attempt = new Attempt(site, thing, variant, what, whole, actor, now());
        attempt.found = claims(site, thing);
        attempts.add(attempt);
        waiting.put(actor, attempt);
        thing.begun++;
        world.story.tell(world.scheduler, actor, () -> "begins " + what + " on " + thing);
        return attempt;
    }

    /** What a client has in the store. */
    private Set<ClaimId> claims(Site site, Thing thing) {
        Set<ClaimId> own = new HashSet<>();
        for (Claim claim : world.server.resource(thing.name).claims()) {
            if (claim.id().client() == site.number) {
                own.add(claim.id());
            }
        }
        return own;
    }

    void end(Attempt attempt, String how) {
        if (!attempt.done) {
            attempt.done = true;
            attempt.ended = now();
            attempts.remove(attempt);
            waiting.remove(attempt.actor, attempt);
            world.times.ended(attempt);
            attempt.site.waited(attempt);
            attempt.thing.claimed(now(), attempt.whole);
            attempt.site.used(attempt.thing);
            world.story.tell(
                    world.scheduler, attempt.actor, () -> how + " (" + attempt.what + " on " + attempt.thing + ")");
        }
    }

    Grip got(Attempt attempt, Lease lease, int weight) {
        Grip grip = grip(attempt, lease, weight);
        end(attempt, "has it, token " + lease.token());
        Hooks.solidly(() -> {
            grip.lost = Holds.loss(grip.lease) != null; // it may have been lost long before its user learns of it
            token(grip);
            order.check(grip);
            world.ends.got(grip);
        });
        return grip;
    }

    /** Of several attempts at a time the one to which most may have happened. */
    Attempt worst(List<Attempt> several) {
        return several.stream()
                .max(Comparator.comparingLong(attempt -> attempt.thing.bad))
                .orElseThrow();
    }

    /** How many handles there were of what a client had under that name and token. */
    long handlesOf(Site site, String name, long token) {
        return all.stream()
                .filter(grip ->
                        grip.attempt.site == site && grip.token == token && grip.attempt.thing.name.equals(name))
                .mapToLong(grip -> grip.mayBecomeAnother() ? 2 : 1)
                .sum();
    }

    /** What was given back through a client of late, for certain. */
    List<Grip> releasedBy(Site site) {
        return all.subList(Math.max(0, all.size() - 10), all.size()).stream()
                .filter(grip -> grip.attempt.site == site && grip.outcome == ReleaseOutcome.RELEASED)
                .toList();
    }

    /** Whether anybody may still have it under another handle. */
    boolean isKnown(Site site, Grip former) {
        return all.stream()
                .anyMatch(grip -> grip.attempt.site == site
                        && grip.token == former.token
                        && grip.attempt.thing == former.attempt.thing
                        && grip.outcome != ReleaseOutcome.RELEASED);
    }

    /** What is held through a client. */
    List<Grip> heldThrough(Site site) {
        return List.copyOf(grips).stream()
                .filter(grip -> grip.attempt.site == site && isHeld(grip))
                .toList();
    }

    /** How often something was got through the present client of a process. */
    long gotBy(Site site, Thing thing) {
        return all.stream()
                .filter(grip -> grip.claim.client() == site.number && grip.attempt.thing == thing && !grip.changed)
                .count();
    }

    private Grip grip(Attempt attempt, Lease lease, int weight) {
        LockOptions options = attempt.thing.variants.get(attempt.variant);
        Grip grip = new Grip(attempt, lease, weight, options.lease().toNanos(), now());
        world.ends.begins(grip);
        grips.add(grip);
        all.add(grip);
        attempt.thing.idleSince = Long.MAX_VALUE;
        return grip;
    }

    /** A lease has become another one, of another weight, with the same token. */
    Grip becomes(Grip before, Lease lease, int weight) {
        world.story.tell(
                world.scheduler,
                world.scheduler.current(),
                () -> "has " + before.attempt.thing + " as weight " + weight);
        Grip after = grip(before.attempt, lease, weight);
        world.ends.goesOn(before, after);
        after.changed = true;
        return after;
    }

    boolean isLost(Grip grip) {
        boolean[] found = new boolean[1];
        Hooks.solidly(() -> found[0] = Holds.isLost(grip.lease, grip.attempt.site.machine.nanos()));
        return found[0];
    }

    /** Tokens rise in the order of conflicting holds. */
    private void token(Grip grip) {
        Thing thing = grip.attempt.thing;
        if (thing.kind == Thing.Kind.SEMAPHORE && thing.room > 1 || !isHeld(grip)) {
            return;
        }
        boolean whole = grip.weight == Resource.WHOLE || thing.kind == Thing.Kind.SEMAPHORE; // of one permit
        long below = whole ? thing.highest : thing.highestWhole;
        if (grip.token <= below) {
            world.violate(
                    Oracle.TOKENS,
                    "the token of " + grip + " for " + thing + " is not above " + below + ", which was held before");
        }
        thing.highest = Math.max(thing.highest, grip.token);
        if (whole) {
            thing.highestWhole = Math.max(thing.highestWhole, grip.token);
        }
    }

    void listen(Grip grip) {
        int[] count = new int[1];
        grip.told.add(count);
        grip.listened = now();
        int number = grip.told.size();
        Actor user = world.scheduler.current();
        grip.lease.onLost(loss -> {
            count[0]++;
            world.story.tell(world.scheduler, user, () -> "is told (listener " + number + "): " + loss.getMessage());
            world.userCode();
        });
    }

    /** It is about to be given back; says whether it is known to be lost. */
    boolean givesBack(Grip grip) {
        grip.givenBack = true;
        grips.remove(grip);
        leaving.add(grip);
        world.ends.keeps(grip, Duration.ZERO);
        grip.attempt.thing.idleSince = Long.MAX_VALUE;
        grip.attempt.thing.claimed(now(), grip.weight == Resource.WHOLE);
        grip.attempt.site.used(grip.attempt.thing);
        boolean lost = Holds.loss(grip.lease) != null;
        world.story.tell(
                world.scheduler,
                world.scheduler.current(),
                () -> "gives " + grip.attempt.thing + " back" + (lost ? ", which is lost" : ""));
        return lost;
    }

    void gaveBack(Grip grip, boolean wasLost, boolean wasClosed, ReleaseOutcome outcome) {
        grip.outcome = outcome;
        grip.attempt.thing.claimed(now(), grip.weight == Resource.WHOLE);
        world.story.tell(
                world.scheduler, world.scheduler.current(), () -> "gave " + grip.attempt.thing + " back: " + outcome);
        if (outcome == ReleaseOutcome.RELEASED) {
            world.ends.released(grip);
        }
        if (outcome == ReleaseOutcome.RELEASED && wasLost) {
            world.violate(
                    Oracle.RELEASES,
                    grip + " is told that it released " + grip.attempt.thing + " though it had lost it");
        }
        if (outcome == ReleaseOutcome.RELEASED && wasClosed && !grip.returned) {
            world.violate(
                    Oracle.CLOSE_TELLS,
                    grip + " is told that it released " + grip.attempt.thing + " though its client was closed before");
        }
        if (outcome != ReleaseOutcome.RELEASED && !wasLost) {
            isNotReleased(grip, outcome.toString());
        }
    }

    /** What was not lost before is not given back by a release: that is so only where something is wrong. */
    void isNotReleased(Grip grip, String told) {
        boolean copied = world.plan.has(Fault.DOUBLED_MESSAGES) && world.plan.has(Fault.OVERTAKING);
        boolean excused = mayBeLost(grip)
                || grip.changing
                || grip.handedOn
                || grip.attempt.thing.evicted >= grip.attempt.began
                || copied; // what a second copy of the leave finds may be told first
        if (!excused) {
            world.violate(
                    Oracle.RELEASES,
                    grip + " gives " + grip.attempt.thing + " back, which it has, and is told: " + told);
        }
    }

    /** Whatever was held through a client that is closed now is lost. */
    void closed(Site site) {
        Hooks.solidly(() -> {
            for (Grip grip : grips) {
                boolean known = grip.changing || grip.handedOn; // else it may have been given back
                if (grip.attempt.site == site && !known && Holds.loss(grip.lease) == null) {
                    world.violate(
                            Oracle.CLOSE_TELLS,
                            grip + " has " + grip.attempt.thing + " and is not told that its client is closed");
                } else if (grip.attempt.site == site) {
                    checkLoss(grip); // before what stays in the store is judged
                }
            }
        });
    }

    /** A wait was given up: its claim is in the store's queue no longer, where nothing was wrong and nobody else wants it. */
    void gaveUp(Attempt attempt, String how) {
        Site site = attempt.site;
        Thing thing = attempt.thing;
        long since = attempt.began - 100_000_000;
        boolean sound = thing.bad + world.server.outlives() <= attempt.began;
        boolean unused = site.lastUse(thing) < since || (attempt.done && site.lastUse(thing) == attempt.ended);
        boolean alone = sound && unused && !site.isTroubledSince(since) && !isSharedBySite(attempt);
        // One that was left before, in vain, may still be there, or again, as on a replica that took over.
        boolean mayLast =
                world.plan.has(Fault.REPLICAS) || site.isTroubledSince(attempt.began - world.server.outlives());
        Resource queue = world.server.resource(thing.name);
        for (Claim claim :
                queue.claims().subList(queue.granted(), queue.claims().size())) {
            boolean former = attempt.found.contains(claim.id()) && (mayLast || world.wasLeftInVain(claim));
            boolean runs = claim.deadline() > world.server.micros(); // else it is passed over, as soon as anybody asks
            if (alone && runs && claim.id().client() == site.number && !former) {
                world.violate(Oracle.GIVEN_UP, attempt + " " + how + " and is still in the queue");
            }
        }
        end(attempt, how);
    }

    /** Whether anybody else has, wants or is giving back the same through the same client. */
    boolean isSharedBySite(Attempt attempt) {
        return attempts.stream().anyMatch(other -> other != attempt && isSame(other, attempt))
                || grips.stream().anyMatch(grip -> isSame(grip.attempt, attempt))
                || leaving.stream().anyMatch(grip -> isSame(grip.attempt, attempt));
    }

    private static boolean isSame(Attempt one, Attempt other) {
        return one.site == other.site && one.thing == other.thing;
    }

    /** Whether nobody else has, wants or is giving back what somebody holds. */
    boolean isAlone(Grip grip) {
        Thing thing = grip.attempt.thing;
        return attempts.stream().noneMatch(attempt -> attempt.thing == thing)
                && grips.stream().noneMatch(other -> other != grip && other.attempt.thing == thing)
                && leaving.stream().noneMatch(other -> other.attempt.thing == thing)
                && world.server.resource(thing.name).claims().stream()
                        .allMatch(claim -> claim.id().equals(grip.claim));
    }

    /** A lease has not become one of the whole, which its holder wanted. */
    void notUpgraded(Grip grip) {
        grip.changing = false;
        grip.attempt.thing.claimedWhole = now();
    }

    private void checkLeaving() {
        for (int i = 0; i < leaving.size(); i++) {
            Grip grip = leaving.get(i);
            Machine machine = grip.attempt.site.machine;
            if (machine.dead || Holds.isOver(grip.lease, machine.nanos())) {
                leaving.remove(i--); // who came before met it when the last step was over
                continue;
            }
            for (Attempt attempt : attempts) {
                attempt.metOwn |= Refusals.isInTheWay(grip, attempt);
            }
        }
    }

    void parks(Actor actor) {
        Attempt attempt = waiting.get(actor);
        // For a level more a thread may wait to hear whether it still has the lock, which is no place in a queue.
        if (attempt != null && !attempt.what.contains("further")) {
            attempt.queued = Math.min(attempt.queued, now());
        }
    }

    // After each step.

    boolean isHeld(Grip grip) {
        return isBelieved(grip) && world.discounts.count(grip);
    }

    boolean isBelieved(Grip grip) {
        Machine machine = grip.attempt.site.machine;
        return !machine.dead && Holds.isHeld(grip.lease, machine.nanos());
    }

    void check() {
        checkLeaving();
        for (int i = 0; i < grips.size(); i++) {
            Grip grip = grips.get(i);
            if (grip.attempt.site.machine.dead) {
                grips.remove(i--);
            } else {
                checkLoss(grip);
                world.ends.check(grip);
                world.times.check(grip);
                if (grip.attempt.thing.evicted >= grip.since) {
                    world.times.hearsOfForce(grip);
                }
            }
        }
        for (int i = 0; i < grips.size(); i++) {
            Grip one = grips.get(i);
            long sum = isBelieved(one) ? world.discounts.weight(one) : 0;
            if (sum == 0) {
                continue;
            }
            for (int j = 0; j < grips.size(); j++) {
                Grip other = grips.get(j);
                if (j != i && other.attempt.thing == one.attempt.thing && isBelieved(other)) {
                    sum += world.discounts.weight(other);
                    if (sum > one.attempt.thing.room) {
                        world.violate(
                                Oracle.EXCLUSION,
                                describe(one) + " and " + describe(other) + " hold " + one.attempt.thing
                                        + " at a time");
                        return;
                    }
                }
            }
        }
    }

    private static String describe(Grip grip) {
        long now = grip.attempt.site.machine.nanos();
        return grip + " by " + Words.of(grip.claim) + ", " + Holds.describe(grip.lease, now) + ",";
    }

    private void checkLoss(Grip grip) {
        if (grip.lost || Holds.loss(grip.lease) == null) {
            return;
        }
        grip.lost = true;
        world.ends.keeps(grip, Duration.ZERO); // by its client, as if it had been given back
        if (!mayBeLost(grip)) {
            world.violate(
                    Oracle.LOSSES,
                    grip + " loses " + grip.attempt.thing + " though nothing is wrong: " + Holds.loss(grip.lease));
        }
    }

    /** Whether its time may be over, or something is wrong that may cost a lease. */
    private boolean mayBeLost(Grip grip) {
        Machine machine = grip.attempt.site.machine;
        long window = world.ends.renewed(grip) - 2 * world.requestTimeout;
        LockOptions options = grip.attempt.thing.variants.get(grip.attempt.variant);
        // A claim that has a fixed end is taken for over where the machine may have slept.
        boolean fixed = options.fixedLease().isPresent() || options.atLeast().isPresent();
        return machine.nanos() >= grip.notBefore
                || (fixed && machine.stepped > window)
                || machine.troubled > window
                || world.troubled > window
                || world.discounts.has(grip)
                || grip.attempt.thing.bad > window
                || grip.attempt.site.closing;
    }

    // At the end.

    List<Attempt> pending() {
        return attempts.stream().filter(a -> !a.site.machine.dead).toList();
    }

    /** Whether everybody was told of what they lost. */
    boolean isTold() {
        for (Grip grip : all) {
            boolean lost = !grip.attempt.site.machine.dead && Holds.loss(grip.lease) != null;
            if (lost && (isUntold(grip) || grip.told.stream().anyMatch(count -> count[0] == 0))) {
                return false;
            }
        }
        return true;
    }

    /** Whether nobody was told that it is lost who listens to all losses of the client, but to no end that was asked for. */
    private static boolean isUntold(Grip grip) {
        Reports reports = grip.attempt.site.reportsOf(grip.claim.client());
        return reports != null && !hasEndedAsAsked(grip) && reports.told(grip) == 0;
    }

    /** Whether all holds of that token have ended as they were asked to, and somebody was told that one was lost. */
    private boolean isToldInVain(Grip grip) {
        Reports reports = grip.attempt.site.reportsOf(grip.claim.client());
        return reports != null
                && reports.told(grip) > 0
                && all.stream()
                        .filter(one -> one.token == grip.token && one.attempt.thing == grip.attempt.thing)
                        .allMatch(Ledger::hasEndedAsAsked);
    }

    private static boolean hasEndedAsAsked(Grip grip) {
        return Holds.reason(grip.lease) == LossReason.ENDED;
    }

    /** Everybody was told what they were to be told, and nothing else. */
    void checkTold() {
        for (Grip grip : all) {
            if (grip.attempt.site.machine.dead) {
                continue;
            }
            boolean lost = Holds.loss(grip.lease) != null;
            if (lost && grip.outcome == ReleaseOutcome.RELEASED) {
                world.violate(
                        Oracle.RELEASES,
                        grip + " was told that it released " + grip.attempt.thing + ", and lost it as well");
            }
            if (lost && isUntold(grip)) {
                world.violate(
                        Oracle.REPORTS, "the loss of " + grip.attempt.thing + " by " + grip + " is not told to all");
            }
            if (lost && isToldInVain(grip)) {
                world.violate(
                        Oracle.REPORTS,
                        grip + " has ended as it was asked to, and is told to be lost: " + grip.attempt.thing);
            }
            for (int[] count : grip.told) {
                if (count[0] != (lost ? 1 : 0)) {
                    world.violate(
                            Oracle.LISTENERS,
                            "a listener of " + grip + " for " + grip.attempt.thing + " was told " + count[0]
                                    + " times of " + (lost ? "a loss" : "no loss"));
                }
            }
        }
    }
}
