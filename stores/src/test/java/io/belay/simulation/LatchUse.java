package io.belay.simulation;

import io.belay.ClientClosedException;
import io.belay.DistributedCountDownLatch;
import io.belay.StoreUnavailableException;
import io.belay.spi.ClaimId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** A latch that all set, count down and wait for, and the judge of its counts. */
final class LatchUse {
    static final String NAME = "l0";

    private final World world;
    private final Thing thing = Thing.named(NAME);
    /** Whether the store knows what it was told, whatever goes wrong. */
    private boolean sound;

    /** How often the count may have been set or taken away so far. */
    private int epoch;
    /** How many are setting it, or taking it away, at present. */
    private int setting;
    /** The count that was set; zero if that is not known. */
    private int count;
    /** How many counts down were begun so far, and how many of them are over. */
    private int all;

    private int over;
    /** How many may have counted it down since it was set. */
    private int begun;
    /** The lowest count that was told since then. */
    private long lowest;

    /** All counts that were told since then. */
    private final Set<Long> told = new HashSet<>();

    private boolean deleted;

    LatchUse(World world) {
        this.world = world;
        sound = !world.plan.has(Fault.REPLICAS) && !world.plan.has(Fault.FAILOVERS);
    }

    boolean isDeleted() {
        return deleted;
    }

    boolean isSound() {
        return sound;
    }

    private DistributedCountDownLatch latch(Site site) {
        return site.client().countDownLatch(NAME);
    }

    void run(User user) {
        int what = user.dice.below(8);
        Attempt attempt = world.ledger.begin(user.site, thing, 0, "latch's " + (what < 6 ? "count" : "wait of"), false);
        attempt.several = what >= 2 && what <= 4; // it waits for its turn for some time, and then again
        attempt.patient = what >= 6;
        try {
            DistributedCountDownLatch latch = latch(user.site);
            switch (what) {
                case 0, 1 -> set(attempt, latch, 1 + user.dice.below(5));
                case 2, 3, 4 -> countDown(attempt, latch);
                case 5 -> look(attempt, latch);
                default -> await(user, attempt, latch);
            }
        } catch (InterruptedException e) {
            user.interrupted(attempt);
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
        }
    }

    private void set(Attempt attempt, DistributedCountDownLatch latch, int to) {
        setting++;
        int before = epoch;
        int former = over;
        boolean done = false;
        try {
            boolean set = latch.trySetCount(to);
            done = true;
            world.ledger.end(attempt, set ? "has set it to " + to : "finds it set");
            if (set) {
                judge(begun >= count || before != epoch || setting > 1, attempt, "sets what is not at zero");
                known(setting == 1 && epoch == before ? to : 0, former);
            }
        } finally {
            setting--;
            if (!done) {
                known(0, former);
                sound &= !world.plan.has(Fault.LATE_MESSAGES); // which may set it once it has opened
            }
        }
    }

    /** Another count holds from here on, zero if nobody knows it: for all counts down but the first so many. */
    private void known(int to, int former) {
        epoch++;
        count = to;
        begun = all - former;
        lowest = to;
        told.clear();
    }

    private void countDown(Attempt attempt, DistributedCountDownLatch latch) {
        int before = setting == 0 ? epoch : -1;
        begun++;
        all++;
        long left;
        try {
            left = latch.countDown();
        } finally {
            over++;
        }
        world.ledger.end(attempt, "has counted down to " + left);
        if (before == epoch && setting == 0 && count > 0) {
            judge(left == 0 || told.add(left), attempt, "counts down to " + left + ", as another did");
            judge(left >= count - begun, attempt, "counts down to " + left + " of " + count + " at the " + begun + ".");
            lowest = Math.min(lowest, left);
        }
    }

    private void look(Attempt attempt, DistributedCountDownLatch latch) {
        int before = setting == 0 ? epoch : -1;
        long highest = lowest;
        long seen = latch.getCount();
        world.ledger.end(attempt, "finds the count " + seen);
        if (before == epoch && setting == 0 && count > 0) {
            judge(seen <= highest && seen >= count - begun, attempt, "finds the count " + seen);
        }
    }

    private void await(User user, Attempt attempt, DistributedCountDownLatch latch) throws InterruptedException {
        Duration wait =
                user.dice.onceIn(3) ? Duration.ZERO : Duration.ofNanos(user.dice.magnitude(100_000, 2_000_000_000L));
        attempt.within(wait.toNanos());
        int before = setting == 0 ? epoch : -1;
        boolean open = count > 0 && lowest == 0;
        boolean passed = latch.await(wait);
        boolean known = before == epoch && setting == 0 && count > 0;
        if (passed) {
            world.ledger.end(attempt, "passes");
            judge(!known || begun >= count, attempt, "passes a latch that is at " + (count - begun) + " or more");
        } else {
            world.times.inVain(attempt);
            world.ledger.end(attempt, "does not pass");
            judge(!known || !open || !isCalm(attempt), attempt, "does not pass a latch at zero");
        }
    }

    private static boolean isCalm(Attempt attempt) {
        return !attempt.site.isTroubledSince(attempt.began);
    }

    private void judge(boolean kept, Attempt attempt, String what) {
        if (sound && !kept) {
            world.violate(Oracle.LATCHES, attempt + " " + what + "; set to " + count + ", lowest " + lowest);
        }
    }

    /**
     * Whether the store has a wait for it by a client that has ended, or could not say since then that it waits no more; or one that was
     * over before a replica took over that had not heard of it.
     */
    boolean isHeldUp(long since) {
        return world.server.resource(NAME).claims().stream()
                .map(claim -> claim.id().client())
                .filter(client -> client != ClaimId.NOBODY)
                .map(world::site)
                .anyMatch(site -> site == null
                        || !site.isOpen()
                        || site.isTroubledSince(since)
                        || world.plan.has(Fault.REPLICAS));
    }

    /** Takes the count away, which the store would keep for good. */
    void delete(Site site) {
        try {
            var unused = latch(site).delete();
            deleted = true;
        } catch (StoreUnavailableException | ClientClosedException e) {
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
        }
    }
}
