package io.belay.simulation;

import io.belay.LockOptions;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Judges the ends that leases were given, and that what is kept after its release is nobody's. */
final class Ends {
    /** What clocks and threads may differ by, beside a hundredth. */
    private static final long MARGIN = 20_000_000;

    private final World world;
    private final List<Grip> kept = new ArrayList<>();

    Ends(World world) {
        this.world = world;
    }

    private long now() {
        return world.scheduler.now();
    }

    /** The end of a lease is about to be moved: until that is answered the nearer of both ends counts. */
    void moves(Grip grip, Duration to) {
        grip.renewed = false;
        grip.moving = now();
        grip.notBefore = Long.MIN_VALUE;
        grip.notAfter = grip.attempt.site.machine.nanos() + to.toNanos() + MARGIN;
    }

    void moved(Grip grip, Duration to, Duration left) {
        world.story.tell(
                world.scheduler,
                world.scheduler.current(),
                () -> "has its end of " + grip.attempt.thing + " moved to " + to.toMillis() + " ms from now");
        LockOptions options = options(grip);
        long nanos = grip.attempt.site.machine.nanos();
        if (left.compareTo(to) > 0) {
            world.violate(Oracle.ENDS, grip + " is to end after " + to + " and is said to run for " + left);
        }
        grip.moving = Long.MAX_VALUE;
        grip.notAfter = nanos + to.toNanos() + MARGIN;
        // Where there are two ends, the other one may come first.
        if (options.fixedLease().isEmpty() || options.maxHold().isEmpty()) {
            grip.notBefore = nanos + left.toNanos() - left.toNanos() / 100 - MARGIN;
        }
    }

    /** The end of a lease was not moved: nothing was done. */
    void stays(Grip grip) {
        grip.moving = Long.MAX_VALUE;
        grip.notAfter = Long.MAX_VALUE;
    }

    private static LockOptions options(Grip grip) {
        return grip.attempt.thing.variants.get(grip.attempt.variant);
    }

    void check(Grip grip) {
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
        if (grip.keptUntil > now() && grip.weight == Resource.WHOLE && !grip.handedOn && isSound()) {
            kept.add(grip);
        }
    }

    /** A server that takes over need not know of it, and a clock that jumps ahead ends it early. */
    private boolean isSound() {
        return !world.plan.has(Fault.REPLICAS)
                && !world.plan.has(Fault.FAILOVERS)
                && !world.plan.has(Fault.MONOTONIC_STEPS);
    }

    /** Somebody has got it. */
    void got(Grip grip) {
        kept.removeIf(before -> before.keptUntil <= now() || before.attempt.thing.evicted >= before.since);
        for (Grip before : kept) {
            if (before.attempt.thing == grip.attempt.thing && before != grip && world.ledger.isHeld(grip)) {
                world.violate(
                        Oracle.ENDS,
                        grip + " has " + grip.attempt.thing + " though " + before + " has it kept for "
                                + (before.keptUntil - now()) / 1_000_000 + " ms more");
            }
        }
    }
}
