package io.belay.simulation;

import io.belay.BelayListener;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.OwnHold;
import io.belay.SlowWait;
import io.belay.internal.gate.Holds;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What a client tells of what somebody should look at, and the judge of when it does. */
final class Reports implements BelayListener {
    private static final long SLACK = 200_000_000;

    private final World world;
    private final Site site;
    /** After how long a wait is slow, and a hold long. */
    final Duration slowWait;

    final Duration longHold;
    private final Map<String, Long> slowWaits = new HashMap<>();
    private final Map<String, Integer> longHolds = new HashMap<>();
    private final Map<String, Integer> losses = new HashMap<>();

    Reports(Site site, Dice dice) {
        world = site.world;
        this.site = site;
        slowWait = Duration.ofMillis(dice.magnitude(20, 1_000));
        longHold = Duration.ofMillis(dice.magnitude(20, 1_000));
    }

    private long now() {
        return world.scheduler.now();
    }

    private static String key(String name, long token) {
        return name + " " + token;
    }

    private static boolean isShort(Duration time, Duration least) {
        return time.compareTo(least) < 0;
    }

    @Override
    public void slowWait(SlowWait slow) {
        if (isShort(slow.waiter().waited(), slowWait)) {
            world.violate(Oracle.REPORTS, slow.waiter() + " is called slow, before " + slowWait);
        }
        if (slow.waiter().name().equals(LatchUse.NAME)) {
            world.violate(Oracle.REPORTS, slow.waiter() + " is called slow at a latch");
        }
        slowWaits.put(slow.waiter().name(), now());
        world.userCode();
    }

    @Override
    public void longHold(OwnHold hold) {
        if (isShort(hold.held(), longHold)) {
            world.violate(Oracle.REPORTS, hold + " is called long, before " + longHold);
        }
        int told = longHolds.merge(key(hold.name(), hold.token()), 1, Integer::sum);
        long holds = world.ledger.handlesOf(site, hold.name(), hold.token());
        boolean shared = hold.mode() == LockMode.SHARED; // readers of one client have one token
        if (told > Math.max(1, holds) && !shared) {
            world.violate(Oracle.REPORTS, hold + " is called long " + told + " times, of " + holds + " holds");
        }
        world.userCode();
    }

    @Override
    public void lost(LeaseLostException loss) {
        losses.merge(key(loss.name(), loss.token()), 1, Integer::sum);
        world.userCode();
    }

    @Override
    public void storeAway(String reason) {
        boolean noThreads = world.plan.has(Fault.NO_THREADS) || world.plan.has(Fault.NO_THREADS_AT_CLOSE);
        if (!site.isTroubledSince(now() - 10_000_000_000L) && !world.isSpoiled() && !noThreads) {
            world.violate(Oracle.REPORTS, site + " is told that its store fails, which does not: " + reason);
        }
        world.userCode();
    }

    @Override
    public void storeBack(Duration time) {
        if (time.isNegative()) {
            world.violate(Oracle.REPORTS, site + " is told that its store was away for " + time);
        }
        world.userCode();
    }

    /** Judges that a wait which was slow was told of. */
    void waited(Attempt attempt) {
        long threshold = slowWait.toNanos() + slowWait.toNanos() / 2;
        long due = attempt.queued + threshold + world.requestTimeout + SLACK;
        boolean judged = attempt.queued < Long.MAX_VALUE
                && !attempt.several
                && !attempt.patient
                && now() > due
                && !site.isTroubledSince(attempt.began);
        if (judged && slowWaits.getOrDefault(attempt.thing.name, Long.MIN_VALUE) < attempt.began) {
            world.violate(
                    Oracle.REPORTS,
                    attempt + " has lasted for " + (now() - attempt.queued) / 1_000_000
                            + " ms and was not told to be slow after " + slowWait);
        }
    }

    /** Judges that a hold which lasts for too long was told of. */
    void holds(Grip grip) {
        // Another one begins where it becomes another.
        long held = site.machine.nanos() - Holds.acquired(grip.lease);
        long due = longHold.toNanos() + longHold.toNanos() / 4 + SLACK / 2; // it is looked at now and then
        if (held > due
                && world.ledger.isHeld(grip)
                && !site.isStalledSince(now() - held)
                && !longHolds.containsKey(key(grip.attempt.thing.name, grip.token))) {
            world.violate(
                    Oracle.REPORTS,
                    grip + " has held " + grip.attempt.thing + " for " + held / 1_000_000
                            + " ms and was not told to be long after " + longHold);
        }
    }

    /** Whether a loss has been told, and no more often than it has to be. */
    int told(Grip grip) {
        return losses.getOrDefault(key(grip.attempt.thing.name, grip.token), 0);
    }
}
