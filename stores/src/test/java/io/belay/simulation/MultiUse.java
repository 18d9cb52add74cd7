package io.belay.simulation;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Several locks that are taken as one. */
final class MultiUse {
    /** For how long at most a lock stays taken that was asked for at least so long. */
    private static final long LONGEST_KEPT = 3_100_000_000L;

    /** For how long at most somebody is not told of a loss, whatever listeners and executors do. */
    private static final long LONGEST_UNTOLD = 60_000_000_000L;

    private final User user;
    private final World world;
    private final List<Attempt> attempts = new ArrayList<>();

    MultiUse(User user) {
        this.user = user;
        world = user.world;
    }

    /** Takes all of these. */
    void run(List<Thing> things) {
        Dice dice = user.dice;
        boolean waits = dice.onceIn(2);
        Duration wait = Duration.ofNanos(dice.magnitude(1_000_000, 2_000_000_000L));
        String what = "wait" + (waits ? "" : " of " + wait.toMillis() + " ms");
        List<DistributedLock> locks = new ArrayList<>();
        for (Thing thing : things) {
            int variant = waits ? lasting(thing) : 0;
            if (variant < 0) {
                return; // what ends before the last is had is never had with it
            }
            locks.add(user.site.client().lock(thing.name, thing.variants.get(variant)));
        }
        for (Thing thing : things) {
            begin(thing, waits ? lasting(thing) : 0, what);
        }
        MultiLock lock = MultiLock.of(locks);
        Optional<MultiLease> had;
        try {
            had = waits ? Optional.of(lock.acquire()) : lock.tryAcquire(wait);
        } catch (InterruptedException e) {
            given();
            attempts.forEach(user::interrupted);
            return;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            given();
            // Only the first one that failed says why.
            user.failed(world.ledger.worst(attempts), e);
            attempts.forEach(attempt -> world.ledger.end(attempt, "fails with another"));
            return;
        }
        if (had.isEmpty()) {
            given();
            attempts.forEach(attempt -> world.ledger.end(attempt, "does not get all"));
        } else {
            use(had.get());
        }
    }

    /** What was had before it was known that not all are had is given back, and may be kept. */
    private void given() {
        for (Attempt attempt : attempts) {
            attempt.thing.keptUntil = Math.max(attempt.thing.keptUntil, world.scheduler.now() + LONGEST_KEPT);
        }
    }

    private void begin(Thing thing, int variant, String what) {
        Attempt attempt = world.ledger.begin(user.site, thing, variant, what + " for several", true);
        attempt.several = true;
        attempts.add(attempt);
    }

    /** The first way in which a thing is asked for without an end; negative if there is none. */
    private static int lasting(Thing thing) {
        for (int i = 0; i < thing.variants.size(); i++) {
            LockOptions options = thing.variants.get(i);
            if (options.maxHold().isEmpty() && options.fixedLease().isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    private void use(MultiLease all) {
        List<Grip> grips = new ArrayList<>();
        for (Lease lease : all.leases()) {
            Attempt attempt = attempts.stream()
                    .filter(each -> each.thing.name.equals(lease.name()))
                    .findFirst()
                    .orElseThrow();
            grips.add(world.ledger.got(attempt, lease, Resource.WHOLE));
        }
        int[] told = new int[1];
        boolean listens = world.has(Use.LISTENERS) && user.dice.onceIn(2);
        if (listens) {
            all.onLost(loss -> told[0]++);
        }
        world.scheduler.sleep(user.dice.magnitude(1_000, user.dice.onceIn(4) ? 2_000_000_000L : 5_000_000));
        // What is lost while it is looked at one after the other may have been held when it was looked at.
        List<Grip> before = grips.stream().filter(grip -> grip.lost).toList();
        if (all.isHeld() && !before.isEmpty()) {
            world.violate(Oracle.VIEWS, before + " are said to be held with others, and are lost");
        }
        grips.forEach(world.ledger::givesBack);
        boolean lost = grips.stream().anyMatch(grip -> grip.lost);
        ReleaseOutcome outcome = all.release();
        if (outcome == ReleaseOutcome.RELEASED && lost) {
            world.violate(Oracle.RELEASES, grips + " are told that all were released though one was lost");
        }
        for (Grip grip : grips) {
            if (outcome == ReleaseOutcome.RELEASED) {
                grip.outcome = outcome;
                world.ends.released(grip);
            }
        }
        long until = world.scheduler.now() + LONGEST_UNTOLD;
        while (listens && !before.isEmpty() && told[0] == 0 && world.scheduler.now() < until) {
            world.scheduler.sleep(100_000_000);
        }
        if (told[0] > 1 || (listens && !before.isEmpty() && told[0] == 0)) {
            world.violate(Oracle.LISTENERS, grips + " are told " + told[0] + " times that one is lost");
        }
    }
}
