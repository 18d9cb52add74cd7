package io.belay.simulation;

import io.belay.LockOptions;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Judges the ends that leases have or were given, and that what is kept after its release is nobody's. */
final class Ends {
    /** What clocks and threads may differ by, beside a hundredth. */
    private static final long MARGIN = 20_000_000;

    /** For how long the time of a reading is used. */
    private static final long READ = 1_000_000_000;

    private final World world;
    private final List<Kept> kept = new ArrayList<>();

    /** What nobody else is to have before that instant, whatever becomes of who had it. */
    private record Kept(Grip grip, long until) {}

    Ends(World world) {
        this.world = world;
    }

    private long now() {
        return world.scheduler.now();
    }

    /** A lease begins: it has an end if it is fixed, or may not be held for longer than that. */
    void begins(Grip grip) {
        LockOptions options = options(grip);
        // A fixed lease is counted from before the store was asked.
        options.fixedLease().ifPresent(time -> {
            endsAfter(grip, time, world.longestAnswer);
            if (world.plan.shape() == Shape.DOCUMENTS
                    && options.atLeast().isEmpty()) { // from a time that is reckoned from before the last reading
                Machine machine = grip.attempt.site.machine;
                long since = now() - 2 * READ;
                grip.notAfter +=
                        world.longestAnswer + machine.jumpedSince(since) + Math.min(READ, machine.stalledSince(since));
            }
        });
        options.maxHold().ifPresent(time -> endsAfter(grip, time, 0));
    }

    /** It ends when so long a time is over, or sooner by as much as may be over of it when the lease is had. */
    private static void endsAfter(Grip grip, Duration time, long sooner) {
        grip.notBefore = Math.min(grip.notBefore, earliest(grip.acquired, time) - sooner);
        grip.notAfter = Math.min(grip.notAfter, latest(grip.acquired, time));
    }

    private static long earliest(long from, Duration time) {
        return from + time.toNanos() - time.toNanos() / 100 - MARGIN;
    }

    private static long latest(long from, Duration time) {
        return from + time.toNanos() + MARGIN;
    }

    /** A lease goes on as another one, with the same ends. */
    void goesOn(Grip before, Grip after) {
        kept.removeIf(one -> one.grip == before); // others may have a part of it
        after.acquired = before.acquired;
        after.notBefore = before.notBefore;
        after.notAfter = before.notAfter;
        after.formerAfter = before.formerAfter;
        after.unanswered = before.unanswered;
    }

    /**
     * The last instant at which a lease was renewed at the latest, unless something is wrong: a fixed one never was since it is had.
     */
    long renewed(Grip grip) {
        long least = now() - grip.term;
        long had = now() - (grip.attempt.site.machine.nanos() - grip.acquired);
        return isFixed(grip) ? Math.min(least, had) : least;
    }

    boolean isFixed(Grip grip) {
        return options(grip).fixedLease().isPresent();
    }

    /** The end of a lease is about to be moved: until that is answered the nearer of both ends counts. */
    void moves(Grip grip, Duration to) {
        long nanos = grip.attempt.site.machine.nanos();
        grip.moving = now();
        grip.movesTo = earliest(nanos, to);
        grip.formerBefore = grip.notBefore;
        boolean open = grip.unanswered != Long.MAX_VALUE; // as a former move was not answered either
        grip.formerAfter = open ? Math.max(grip.formerAfter, grip.notAfter) : grip.notAfter;
        grip.unanswered = Long.MAX_VALUE;
        grip.notBefore = Math.min(grip.notBefore, grip.movesTo);
        grip.notAfter = latest(nanos, to);
    }

    void moved(Grip grip, Duration to, Duration left) {
        world.story.tell(
                world.scheduler,
                world.scheduler.current(),
                () -> "has its end of " + grip.attempt.thing + " moved to " + to.toMillis() + " ms from now");
        if (left.compareTo(to) > 0 && world.wentBack < grip.moving) { // else the store may say by now that it was not
            world.violate(Oracle.ENDS, grip + " is to end after " + to + " and is said to run for " + left);
        }
        isMoved(grip);
        grip.notBefore = grip.movesTo;
        grip.notAfter = latest(grip.attempt.site.machine.nanos(), to);
    }

    private static void isMoved(Grip grip) {
        grip.moving = Long.MAX_VALUE;
        grip.unanswered = Long.MAX_VALUE;
    }

    /** Nobody knows whether the end was moved: the nearer of both counts, until the store says more. */
    void mayBeMoved(Grip grip, Duration to) {
        long since = grip.moving;
        long next = latest(grip.attempt.site.machine.nanos(), to);
        isMoved(grip);
        grip.unanswered = since;
        grip.notAfter = Math.min(grip.formerAfter, next);
        grip.formerAfter = Math.max(grip.formerAfter, next);
    }

    /** The end of a lease was not moved: nothing was done. */
    void stays(Grip grip) {
        isMoved(grip);
        grip.notBefore = grip.formerBefore;
        grip.notAfter = grip.formerAfter;
    }

    /** The latest instant, by its machine's clock, until which a lease may say that it runs; the greatest number for any. */
    long latest(Grip grip) {
        hears(grip);
        boolean moves = grip.moving != Long.MAX_VALUE;
        return moves ? Long.MAX_VALUE : grip.notAfter;
    }

    /** A monotonic clock jumps ahead: by it the end of a fixed lease, which is the store's, comes so much later. */
    void jumps(Machine machine, long nanos) {
        for (Grip grip : world.ledger.held()) {
            boolean counted = grip.notAfter != Long.MAX_VALUE && !isLimited(options(grip));
            if (grip.attempt.site.machine == machine && counted) {
                grip.notAfter += nanos;
                grip.formerAfter += grip.formerAfter == Long.MAX_VALUE ? 0 : nanos;
            }
        }
    }

    /** Whether a hold ends by its machine's clock. */
    private static boolean isLimited(LockOptions options) {
        return options.maxHold().isPresent() || options.atLeast().isPresent();
    }

    private static LockOptions options(Grip grip) {
        return grip.attempt.thing.variants.get(grip.attempt.variant);
    }

    private static void hears(Grip grip) {
        if (grip.attempt.site.answered >= grip.unanswered) {
            grip.notAfter = grip.formerAfter; // it may be the answer that was missing
            grip.unanswered = Long.MAX_VALUE;
        }
    }

    void check(Grip grip) {
        hears(grip);
        staysTaken(grip);
        if (grip.notAfter != Long.MAX_VALUE
                && !grip.attempt.site.isTroubledSince(grip.moving) // its thread may be kept from moving it
                && grip.attempt.site.machine.nanos() > grip.notAfter
                && world.ledger.isHeld(grip)) {
            world.violate(Oracle.ENDS, grip + " holds " + grip.attempt.thing + " beyond the end that it was given");
        }
    }

    /** Somebody is about to give it back: for good, or so that it is kept from others for a while. */
    void keeps(Grip grip, Duration after) {
        long nanos = grip.attempt.site.machine.nanos();
        long least = options(grip)
                .atLeast()
                .map(time -> grip.acquired + time.toNanos() - nanos)
                .orElse(0L);
        long time = Math.max(least, after.toNanos());
        grip.keptUntil = 0;
        if (time > 0) {
            grip.keptUntil = now() + time - time / 100 - MARGIN;
            grip.attempt.thing.keptUntil = Math.max(
                    grip.attempt.thing.keptUntil, now() + time + time / 100 + 1_000_000_000 + world.server.outlives());
        }
    }

    /** The store has said that it was released. */
    void released(Grip grip) {
        if (grip.keptUntil > now()) {
            keep(grip, grip.keptUntil);
        }
    }

    /**
     * What is to stay taken from its acquisition on does so whatever comes, once the store has had the time to hear of that: its
     * holder may lose it, and be stopped, cut off, closed or dead.
     */
    private void staysTaken(Grip grip) {
        Duration atLeast = options(grip).atLeast().orElse(Duration.ZERO);
        boolean heard = now() - grip.since > world.longestAnswer;
        if (atLeast.isZero() || grip.settled || !heard) {
            return;
        }
        grip.settled = true;
        Thing thing = grip.attempt.thing;
        boolean forced = thing.evicted >= grip.attempt.began; // maybe before its user knew that it was had
        if (!forced && !grip.attempt.site.isTroubledSince(grip.since) && thing.bad < grip.since) {
            long had = now() - (grip.attempt.site.machine.nanos() - grip.acquired);
            keep(grip, earliest(had, atLeast));
        }
    }

    private void keep(Grip grip, long until) {
        boolean permits = grip.attempt.thing.kind == Thing.Kind.SEMAPHORE; // readers are kept by their client alone
        if ((permits || grip.weight == Resource.WHOLE) && !grip.handedOn && isSound()) {
            kept.add(new Kept(grip, until));
        }
    }

    /** A server that takes over need not know of it, and a clock that jumps ahead ends it early. */
    private boolean isSound() {
        return !world.plan.has(Fault.REPLICAS)
                && !world.plan.has(Fault.FAILOVERS)
                && !world.plan.has(Fault.MONOTONIC_STEPS);
    }

    /** Whether the store has made it a smaller one. */
    private boolean isPart(Grip grip) {
        return grip.changing
                && world.server.resource(grip.attempt.thing.name).holders().stream()
                        .anyMatch(claim -> claim.id().equals(grip.claim) && claim.weight() < Resource.WHOLE);
    }

    /** Somebody has got it. */
    void got(Grip grip) {
        kept.removeIf(one -> one.until <= now() || one.grip.attempt.thing.evicted >= one.grip.since);
        if (grip.attempt.thing.kind == Thing.Kind.SEMAPHORE) {
            gotPermits(grip);
            return;
        }
        for (Kept one : kept) {
            Grip before = one.grip;
            // Of one that has become a smaller one others may have the rest.
            if (before.attempt.thing == grip.attempt.thing
                    && before != grip
                    && (grip.weight == Resource.WHOLE || !isPart(before))
                    && world.ledger.isHeld(grip)) {
                world.violate(
                        Oracle.ENDS,
                        grip + " has " + grip.attempt.thing + " though " + before + " has it kept for "
                                + (one.until - now()) / 1_000_000 + " ms more");
            }
        }
    }

    /** Somebody has got permits: these, and those that are kept, are no more than there have ever been. */
    private void gotPermits(Grip grip) {
        Map<ClaimId, Integer> taken = new HashMap<>(Map.of(grip.claim, grip.weight));
        for (Kept one : kept) {
            boolean same = one.grip.attempt.thing == grip.attempt.thing;
            taken.merge(one.grip.claim, same && !one.grip.changing ? one.grip.weight : 0, Math::max);
        }
        int sum = taken.values().stream().mapToInt(Integer::intValue).sum();
        if (sum > grip.attempt.thing.room && world.ledger.isHeld(grip)) {
            world.violate(
                    Oracle.ENDS,
                    grip + " has " + grip.weight + " of " + grip.attempt.thing + ", which makes " + sum
                            + " with those that are kept, of " + grip.attempt.thing.room);
        }
    }
}
