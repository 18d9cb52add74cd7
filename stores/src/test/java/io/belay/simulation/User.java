package io.belay.simulation;

import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.Optional;

/** A thread that uses a client: one thing after the other, drawn from its dice. */
final class User implements Runnable {
    /** For how long a store of documents reserves one at most. */
    private static final long LONGEST_RESERVATION = 300_000_000;

    /** So long a client waits at most before it asks a store again that failed. */
    private static final long LONGEST_BACK_OFF = 500_000_000;

    /** So long at least a client waits for an answer before it tells somebody whose time is over that there was none. */
    private static final long SLOW = 200_000_000;

    /** For how long from now on an end is moved, or a lock is kept, at most. */
    static final long LATEST_END = 3_000_000_000L;

    private static final long LONGEST_HOLD = 4_000_000_000L;
    private static final long LONGEST_PAUSE = 2_000_000_000L;

    final World world;
    final Dice dice;
    final Sayings sayings;
    Site site;

    User(World world, Site site) {
        this.world = world;
        this.site = site;
        dice = world.chance.split();
        sayings = new Sayings(world);
    }

    @Override
    public void run() {
        while (!world.isEnding()) {
            if (world.isResting()) {
                world.rest();
            } else if (site.isOpen()) {
                once();
                world.times.keepsInterrupts();
            } else {
                site = world.successor(site);
            }
            world.scheduler.sleep(dice.magnitude(1_000, dice.onceIn(10) ? LONGEST_PAUSE : 5_000_000));
        }
    }

    /** What some users do besides using things; says whether it was done now. */
    private boolean runsErrand() {
        int which = dice.below(4);
        if (which == 0 && world.has(Use.ONCES)) {
            world.onces.run(this);
        } else if (which == 1 && world.has(Use.LATCHES)) {
            world.latches.run(this);
        } else if (which == 2
                && world.has(Use.MULTI_LOCKS)
                && world.plainLocks().size() > 1) {
            new MultiUse(this).run(world.plainLocks());
        } else if (which == 3 && world.has(Use.LOOKS)) {
            world.looks.look(this, null);
        } else {
            return false;
        }
        return true;
    }

    private void once() {
        // What a pause excuses would hide what those before it have broken for good.
        if (world.has(Use.PAUSES) && !world.isQuiet() && dice.onceIn(60)) {
            site.pause(dice);
            return;
        }
        if (world.hasErrands() && dice.onceIn(4) && runsErrand()) {
            return;
        }
        Thing thing = dice.of(world.things);
        int variant = dice.below(thing.variants.size());
        if (thing.kind == Thing.Kind.LOCK && world.has(Use.ELECTIONS) && dice.onceIn(6)) {
            new ElectionUse(this, thing, variant).run();
            return;
        } else if (thing.kind == Thing.Kind.LOCK && world.has(Use.VIEWS) && dice.onceIn(3)) {
            new ReentrantUse(this, thing, variant).run();
            return;
        } else if (thing.kind == Thing.Kind.SEMAPHORE && world.has(Use.RESIZES) && dice.onceIn(10)) {
            resize(thing, variant);
            return;
        } else if (thing.kind == Thing.Kind.READ_WRITE && world.has(Use.VIEWS) && dice.onceIn(2)) {
            new ReentrantUse(this, thing, variant).run();
            return;
        }
        LockOptions options = thing.variants.get(variant);
        int weight = Resource.WHOLE;
        DistributedLock lock;
        switch (thing.kind) {
            case LOCK -> lock = site.client().lock(thing.name, options);
            case READ_WRITE -> {
                boolean reads = dice.onceIn(2);
                weight = reads ? 1 : Resource.WHOLE;
                var both = site.client().readWriteLock(thing.name, options);
                lock = reads ? both.readLock() : both.writeLock();
            }
            default -> {
                int permits = thing.capacity;
                weight = 1 + dice.below(permits);
                lock = site.client().semaphore(thing.name, permits, options).permits(weight);
            }
        }
        if (world.has(Use.ASYNC) && dice.onceIn(2)) {
            new AsyncUse(this, thing, variant, lock, weight).run();
        } else {
            block(thing, variant, lock, weight);
        }
    }

    private void block(Thing thing, int variant, DistributedLock lock, int weight) {
        String kind = weight == 1 ? "read " : "";
        if (world.has(Use.TRIES) && dice.onceIn(3)) {
            Attempt attempt = world.ledger
                    .begin(site, thing, variant, kind + "try", weight == Resource.WHOLE)
                    .within(0);
            attempt(attempt, weight, lock::tryAcquire);
        } else if (world.has(Use.TIMED_WAITS) && dice.onceIn(2)) {
            Duration wait = Duration.ofNanos(dice.magnitude(100_000, 3_000_000_000L));
            Attempt attempt = world.ledger
                    .begin(site, thing, variant, kind + "wait of " + wait.toMillis() + " ms", weight == Resource.WHOLE)
                    .within(wait.toNanos());
            attempt(attempt, weight, () -> lock.tryAcquire(wait));
        } else {
            Attempt attempt = world.ledger.begin(site, thing, variant, kind + "wait", weight == Resource.WHOLE);
            attempt(attempt, weight, () -> Optional.of(lock.acquire()));
        }
    }

    interface Acquiring {
        Optional<Lease> call() throws InterruptedException;
    }

    private void attempt(Attempt attempt, int weight, Acquiring acquiring) {
        attempt.weight = weight;
        Optional<Lease> lease;
        try {
            lease = acquiring.call();
        } catch (InterruptedException e) {
            interrupted(attempt);
            return;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            failed(attempt, e);
            return;
        }
        if (lease.isEmpty()) {
            notHad(attempt);
        } else {
            use(world.ledger.got(attempt, lease.get(), weight));
        }
    }

    void notHad(Attempt attempt) {
        world.times.inVain(attempt);
        world.refusals.notHad(attempt);
    }

    void interrupted(Attempt attempt) {
        world.ledger.gaveUp(attempt, "is interrupted");
        if (!attempt.actor.tell(world.scheduler.now(), attempt.began)) {
            world.violate(Oracle.FAILURES, attempt + " is interrupted by nobody");
        }
    }

    /** Judges what an attempt failed with. */
    void failed(Attempt attempt, Throwable error) {
        world.ledger.end(attempt, "fails: " + error);
        boolean may;
        long window = attempt.began - 2 * world.requestTimeout - LONGEST_BACK_OFF;
        boolean paused = String.valueOf(error.getMessage()).contains("the client is paused");
        if (error instanceof ClientClosedException) {
            may = attempt.site.closing;
        } else if (paused && !attempt.site.wasPausedSince(attempt.began)) {
            may = false;
        } else if (error instanceof StoreUnavailableException) {
            boolean wasPaused = attempt.site.wasPausedSince(attempt.began);
            may = wasPaused
                    || (!attempt.isEndless() && mayBeSilent(attempt, window, String.valueOf(error.getMessage())));
            if (attempt.waits() && !wasPaused) {
                world.times.inVain(attempt);
            }
        } else if (error instanceof LockRefusedException) {
            may = attempt.thing.kind == Thing.Kind.SEMAPHORE && world.has(Use.RESIZES)
                    || attempt.thing.kind == Thing.Kind.OTHER
                            && (attempt.site.isTroubledSince(window)
                                    || world.latches.isHeldUp(window)
                                    || world.wasFullSince(window
                                            - LockOptions.defaults().lease().toNanos()));
        } else if (error instanceof StoreMisconfiguredException) {
            // An answer may be later than what was wrong when it was asked for.
            may = attempt.thing.bad > window
                    || (attempt.thing.bad > 0 && attempt.site.machine.troubled > window)
                    || world.wasFullSince(window)
                    || (attempt.site.machine.troubled > window
                            && world.wasFullSince(window - Gremlin.LONGEST_SUSPENSION)
                            && String.valueOf(error.getMessage()).contains("the store is full"));
        } else {
            may = error instanceof PlannedError || error instanceof OutOfMemoryError;
        }
        if (!may) {
            world.violate(Oracle.FAILURES, attempt + " fails without a cause: " + error);
        }
    }

    /** Whether the store may have said nothing in time to somebody who does not wait for as long as it takes. */
    private boolean mayBeSilent(Attempt attempt, long window, String message) {
        boolean closing = attempt.thing.kind == Thing.Kind.OTHER && attempt.site.closing;
        return closing
                || attempt.site.isTroubledSince(window)
                || attempt.thing.bad > window
                || (attempt.site.machine.stepped > window && message.contains("clock was put ahead"))
                || message.contains("unable to create native thread")
                || isReservedByTheDead(attempt.thing, attempt.began)
                || (isReserved(attempt.thing, attempt.began) && message.contains("was over before the grant was here"))
                || mayQueue(attempt);
    }

    private static boolean isReservedByTheDead(Thing thing, long since) {
        Machine reserver = thing.reserver;
        return reserver != null && reserver.dead && isReserved(thing, since);
    }

    /** Whether clients may have stepped back since then, for which a lease of less than that may be too short. */
    private static boolean isReserved(Thing thing, long since) {
        return thing.reserver != null && thing.reserved + LONGEST_RESERVATION > since;
    }

    /** Claims of one client enter a resource of nodes one after the other, as looks do, and many take longer than some wait. */
    private boolean mayQueue(Attempt attempt) {
        boolean limited = attempt.limit >= 0 || attempt.isTry() || attempt.what.equals(Looks.LOOK);
        return limited
                && world.plan.shape() == Shape.NODES
                && attempt.thing.kind != Thing.Kind.LOCK
                && attempt.ended - attempt.began >= SLOW - SLOW / 100; // its clock may be fast
    }

    private void resize(Thing thing, int variant) {
        int permits = 1 + dice.below(4);
        Attempt attempt = world.ledger.begin(site, thing, variant, "resize to " + permits, true);
        try {
            thing.room = Math.max(thing.room, permits);
            thing.capacity = permits;
            thing.resized = world.scheduler.now();
            site.client()
                    .semaphore(thing.name, permits, thing.variants.get(variant))
                    .resize(permits);
            world.ledger.end(attempt, "is done");
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            failed(attempt, e);
        }
    }

    /** Holds it for a while, and gives it back. */
    void use(Grip grip) {
        hold(grip);
        boolean several = grip.attempt.thing.kind == Thing.Kind.SEMAPHORE && grip.weight > 1;
        if (grip.attempt.thing.kind == Thing.Kind.READ_WRITE && world.has(Use.UPGRADES) && dice.onceIn(3)) {
            change(grip);
        } else if (several && world.has(Use.REDUCTIONS) && dice.onceIn(2) && grip.attempt.site == site) {
            reduce(grip);
        } else {
            giveBack(grip);
        }
    }

    private void useChanged(Grip grip) {
        if (world.has(Use.REPEATED_UPGRADES)) {
            use(grip);
        } else {
            hold(grip);
            giveBack(grip);
        }
    }

    private void hold(Grip grip) {
        if (world.has(Use.LISTENERS) && dice.onceIn(2)) {
            for (int i = dice.below(3); i >= 0; i--) {
                world.ledger.listen(grip);
            }
        }
        long end =
                world.scheduler.now() + dice.magnitude(1_000, dice.onceIn(world.longHolds) ? LONGEST_HOLD : 3_000_000);
        while (world.scheduler.now() < end && !world.isIdle() && !site.closing) {
            long left = end - world.scheduler.now();
            world.scheduler.sleep(Math.min(left, dice.magnitude(1_000, 500_000_000)));
            sayings.ask(grip, dice.below(4));
            if (world.has(Use.LOOKS) && dice.onceIn(4)) {
                world.looks.look(this, grip);
            }
            if (world.has(Use.MOVED_ENDS) && dice.onceIn(4)) {
                moveEnd(grip);
            }
        }
    }

    private void moveEnd(Grip grip) {
        Duration to = Duration.ofMillis(dice.magnitude(10, LATEST_END / 1_000_000));
        world.ends.moves(grip, to);
        try {
            Duration left = grip.lease.extend(to);
            world.ends.moved(grip, to, left);
        } catch (LeaseLostException e) {
            sayings.isLost(grip, e);
            world.ends.mayBeMoved(grip, to); // as it may be unsure alone
        } catch (StoreUnavailableException e) {
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
            world.ends.mayBeMoved(grip, to);
        } catch (LockRefusedException | ClientClosedException | UnsupportedOperationException e) {
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
            world.ends.stays(grip);
        }
    }

    /** Makes another lease of it, and gives that back. */
    private void change(Grip grip) {
        Attempt attempt = grip.attempt;
        DistributedReadWriteLock lock =
                site.client().readWriteLock(attempt.thing.name, attempt.thing.variants.get(attempt.variant));
        grip.changing = true;
        if (attempt.site != site) {
            giveBack(grip);
        } else if (grip.weight == Resource.WHOLE) {
            world.ledger.givesBack(grip);
            try {
                useChanged(becomes(grip, lock.downgrade(grip.lease), 1));
            } catch (LeaseLostException e) {
                sayings.isLost(grip, e);
                giveBack(grip);
            }
        } else {
            useChanged(upgraded(grip, lock));
        }
    }

    /** Gives some permits back, and uses the others. */
    private void reduce(Grip grip) {
        Attempt attempt = grip.attempt;
        int permits = 1 + dice.below(grip.weight - 1);
        world.ledger.givesBack(grip);
        Lease fewer;
        try {
            fewer = site.client()
                    .semaphore(attempt.thing.name, attempt.thing.capacity, attempt.thing.variants.get(attempt.variant))
                    .reduceTo(grip.lease, permits);
        } catch (LeaseLostException e) {
            sayings.isLost(grip, e);
            giveBack(grip);
            return;
        }
        use(becomes(grip, fewer, permits));
    }

    private Grip becomes(Grip grip, Lease lease, int weight) {
        Grip after = world.ledger.becomes(grip, lease, weight);
        sayings.isOver(grip);
        return after;
    }

    private Grip upgraded(Grip grip, DistributedReadWriteLock lock) {
        Thing thing = grip.attempt.thing;
        boolean alone = world.ledger.isAlone(grip);
        long begun = thing.begun;
        long since = world.scheduler.now();
        try {
            Optional<Lease> writing = lock.tryUpgrade(grip.lease);
            if (writing.isPresent()) {
                world.ledger.givesBack(grip);
                return becomes(grip, writing.get(), Resource.WHOLE);
            }
            if (alone && begun == thing.begun) {
                sayings.isNotUpgraded(grip, since);
            }
        } catch (StoreUnavailableException | ClientClosedException e) {
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
        }
        world.ledger.notUpgraded(grip);
        return grip;
    }

    void giveBack(Grip grip) {
        if (grip.attempt.thing.kind == Thing.Kind.SEMAPHORE && world.has(Use.TICKETS) && dice.onceIn(3)) {
            new TicketUse(this, grip).run();
        }
        boolean wasClosed = grip.attempt.site.closed;
        boolean lost = world.ledger.givesBack(grip);
        if (world.has(Use.MOVED_ENDS) && dice.onceIn(4)) {
            Duration after = Duration.ofMillis(dice.magnitude(1, 1_000));
            world.ends.keeps(grip, after);
            try {
                world.ledger.gaveBack(grip, lost, wasClosed, grip.lease.releaseAfter(after));
            } catch (UnsupportedOperationException e) {
                world.ends.keeps(grip, Duration.ZERO); // a claim has no lease of its own there
                world.ledger.gaveBack(grip, lost, wasClosed, grip.lease.release());
            }
        } else {
            switch (dice.below(3)) {
                case 0 -> world.ledger.gaveBack(grip, lost, wasClosed, grip.lease.release());
                case 1 ->
                    grip.lease.releaseAsync().thenAccept(told -> world.ledger.gaveBack(grip, lost, wasClosed, told));
                default -> {
                    grip.lease.close();
                    world.ledger.gaveBack(grip, lost, wasClosed, grip.lease.release()); // which tells what came of it
                }
            }
        }
        sayings.isOver(grip);
    }
}
