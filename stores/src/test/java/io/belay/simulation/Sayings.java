package io.belay.simulation;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.internal.gate.Holds;

/** Asks leases of themselves, and judges what they say. */
final class Sayings {
    /** By how much a clock that drifts is put right at a time. */
    private static final long GRAIN = 5_000;

    private final World world;

    Sayings(World world) {
        this.world = world;
    }

    /** How a lease stands, as its client has it. */
    private final class Sight {
        final Grip grip;
        final long at = world.scheduler.now();
        final long nanos;
        boolean held;
        /** It is lost or given back, for good. */
        boolean over;
        /** When it ends, by its machine's clock, if nothing is renewed. */
        long end;

        Sight(Grip grip) {
            this.grip = grip;
            nanos = grip.attempt.site.machine.nanos();
            Hooks.solidly(() -> {
                held = Holds.isHeld(grip.lease, nanos);
                over = Holds.isFinal(grip.lease);
                end = nanos - Holds.over(grip.lease, nanos);
            });
            grip.over |= over;
            over = grip.over;
        }

        /** Whether nothing but time has passed since: no clock was moved, and no thread was kept. */
        boolean isCalmSince() {
            Site site = grip.attempt.site;
            return !site.isTroubledSince(at) && site.machine.stepped < at;
        }
    }

    /** Asks in one of four ways, of which the last asks nothing. */
    void ask(Grip grip, int way) {
        switch (way) {
            case 0 -> isHeld(grip);
            case 1 -> remaining(grip);
            case 2 -> ensureHeld(grip);
            default -> {}
        }
    }

    private void judge(boolean so, Grip grip, String what) {
        if (!so) {
            world.violate(Oracle.VIEWS, "the lease of " + grip + " for " + grip.attempt.thing + " " + what);
        }
    }

    private void isHeld(Grip grip) {
        Sight before = new Sight(grip);
        saidToBeHeld(before, grip.lease.isHeld(), new Sight(grip));
    }

    private void saidToBeHeld(Sight before, boolean said, Sight after) {
        Grip grip = before.grip;
        judge(!said || !before.over, grip, "says that it is held though it was over for good before");
        if (before.isCalmSince()) {
            judge(!said || before.held || after.held, grip, "says that it is held, and is not");
            judge(said || !before.held || !after.held, grip, "says that it is not held, and is");
        }
    }

    private void remaining(Grip grip) {
        Sight before = new Sight(grip);
        long left = grip.lease.remaining().toNanos();
        Sight after = new Sight(grip);
        saidToBeHeld(before, left > 0, after);
        long most = Math.min(Math.max(before.end, after.end), world.ends.latest(grip)) - before.nanos;
        judge(left <= Math.max(0, most) + GRAIN, grip, "says that " + left + " ns of it are left, of " + most);
        if (left > 0 && before.held && after.held && before.isCalmSince()) {
            long least = Math.min(before.end, after.end) - after.nanos;
            judge(left >= least - GRAIN, grip, "says that " + left + " ns of it are left, and not " + least);
        }
    }

    private void ensureHeld(Grip grip) {
        Sight before = new Sight(grip);
        try {
            grip.lease.ensureHeld();
        } catch (LeaseLostException e) {
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
            Sight after = new Sight(grip);
            // Where the clocks leave it open whether it is held, the store is asked, and has its time to answer.
            long waits = world.requestTimeout - world.requestTimeout / 100;
            boolean asked = !before.held && after.nanos - before.nanos >= waits;
            boolean ended = before.end - before.nanos <= 0; // as the step that takes a renewal's answer stands still
            boolean may = after.over || asked || ended || !before.isCalmSince();
            judge(may, grip, "throws though it is held: " + e.getMessage());
            return;
        }
        Sight after = new Sight(grip);
        judge(!before.over, grip, "does not throw though it was over for good before");
        judge(before.held || after.held || after.over || !before.isCalmSince(), grip, "does not throw, and is unsure");
    }

    /** It was given back, or has become another one: from now on it says that it is not held. */
    void isOver(Grip grip) {
        Lease lease = grip.lease;
        judge(!lease.isHeld(), grip, "says that it is held though it was given back");
        judge(lease.remaining().isZero(), grip, "says that some of it is left though it was given back");
        try {
            lease.ensureHeld();
        } catch (LeaseLostException e) {
            return;
        }
        judge(false, grip, "does not throw though it was given back");
    }

    /** Somebody was told that it is lost, or unsure, when it was asked for something. */
    void isLost(Grip grip, LeaseLostException e) {
        world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
        Site site = grip.attempt.site;
        long since = world.scheduler.now() - 2 * world.requestTimeout;
        boolean unsure = site.isTroubledSince(since) || site.machine.stepped > since || grip.attempt.thing.bad > since;
        if (!unsure && !site.closing && !world.ledger.isLost(grip)) {
            world.violate(Oracle.LOSSES, grip + " is told that " + grip.attempt.thing + " is lost, and has it: " + e);
        }
    }

    /** The only reader was not made a writer. */
    void isNotUpgraded(Grip grip, long since) {
        Thing thing = grip.attempt.thing;
        boolean calm = !grip.attempt.site.isTroubledSince(since) && thing.evicted < since && thing.keptUntil < since;
        if (calm && world.ledger.isHeld(grip)) {
            world.violate(Oracle.REFUSALS, grip + " is not made the writer of " + thing + " though nobody else has it");
        }
    }
}
