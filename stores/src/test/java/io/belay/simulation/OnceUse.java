package io.belay.simulation;

import io.belay.LeaseLostException;
import io.belay.LockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An action that one of all runs in each period, and the judge of that. */
final class OnceUse {
    private static final String NAME = "o0";
    private static final long MARGIN = 20_000_000;
    private static final long LEASE = LockOptions.defaults().lease().toNanos();

    /**
     * For how long a claim may be there that nobody knows of any more: one whose leave was not answered until its client was
     * paused lasts for the lease of a client that was told of none.
     */
    private static final long FORGOTTEN = 2 * LEASE;

    private final World world;
    private final Thing thing = Thing.named(NAME);
    private final Duration period;
    /** Whether the store keeps what it was told to keep, whatever goes wrong. */
    private final boolean sound;

    private @Nullable Attempt running;
    private @Nullable Attempt last;
    /** Nobody begins before, by true time. */
    private long takenUntil;
    /** Nobody is to wonder at being refused before. */
    private long refusedUntil;

    private int asking;

    OnceUse(World world, Dice dice) {
        this.world = world;
        period = Duration.ofMillis(dice.magnitude(10, 2_000));
        sound = !world.plan.has(Fault.REPLICAS)
                && !world.plan.has(Fault.FAILOVERS)
                && !world.plan.has(Fault.MONOTONIC_STEPS);
    }

    private static final class ActionFailed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private long now() {
        return world.scheduler.now();
    }

    void run(User user) {
        Site site = user.site;
        if (!site.keeps()) {
            refuses(site);
            return;
        }
        Attempt attempt = world.ledger.begin(site, thing, 0, "once, as a try", true);
        long before = refusedUntil;
        boolean alone = ++asking == 1;
        try {
            if (site.client().once(NAME, period).run(() -> act(user, attempt))) {
                ran(attempt, before, latest(attempt));
            } else {
                refused(attempt, alone && asking == 1);
            }
        } catch (ActionFailed e) {
            ran(attempt, before, now() + MARGIN);
        } catch (LeaseLostException e) {
            mayHaveFreed(attempt);
            refusedUntil = now() + FORGOTTEN;
            world.story.tell(world.scheduler, world.scheduler.current(), e::getMessage);
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            mayHaveFreed(attempt);
            refusedUntil = now() + FORGOTTEN;
            user.failed(attempt, e);
        } finally {
            asking--;
        }
    }

    /** Another may run it at once, if this one has. */
    private void mayHaveFreed(Attempt attempt) {
        takenUntil = last == attempt ? 0 : takenUntil;
    }

    private void refuses(Site site) {
        try {
            var unused = site.client().once(NAME, period);
        } catch (IllegalArgumentException e) {
            return;
        }
        world.violate(Oracle.ENDS, site + " may have something kept by a store that cannot");
    }

    private void ran(Attempt attempt, long before, long until) {
        boolean done = isCalm(attempt) && !attempt.site.closing;
        long since = last == attempt ? before : refusedUntil; // another may have run it before this call returned
        refusedUntil = Math.max(since, done ? until : now() + FORGOTTEN);
    }

    private long latest(Attempt attempt) {
        return attempt.ended + period.toNanos() + period.toNanos() / 100 + MARGIN;
    }

    private void act(User user, Attempt attempt) {
        Site site = user.site;
        world.ledger.end(attempt, "runs the action");
        if (sound && running != null && isSureToRun(running)) {
            world.violate(Oracle.ENDS, site + " runs the action that " + running + " still runs");
        } else if (now() < takenUntil) {
            long early = (takenUntil - now()) / 1_000_000;
            world.violate(Oracle.ENDS, site + " runs the action " + early + " ms before its period is over");
        }
        running = attempt;
        last = attempt;
        // If it dies now, the name stays taken for the period, and for the lease.
        takenUntil = sound ? attempt.began + period.toNanos() - period.toNanos() / 100 - MARGIN : 0;
        refusedUntil = latest(attempt) + FORGOTTEN;
        world.scheduler.sleep(user.dice.magnitude(1_000, 50_000_000));
        running = running == attempt ? null : running;
        if (user.dice.onceIn(4)) {
            takenUntil = 0; // another may run it at once
            throw new ActionFailed();
        }
    }

    /** Whether it has the name still, as far as it may know: its lease is longer than anything that goes wrong. */
    private boolean isSureToRun(Attempt attempt) {
        Site site = attempt.site;
        return !site.machine.dead
                && !site.closing
                && !site.wasPausedSince(attempt.began)
                && site.machine.stepped < attempt.began
                && now() - attempt.began < LEASE / 2;
    }

    private void refused(Attempt attempt, boolean alone) {
        world.ledger.end(attempt, "does not run the action");
        long free =
                Math.max(refusedUntil, world.troubled) + world.server.outlives(); // a restart lengthens what is kept
        if (sound && alone && attempt.began > free && isCalm(attempt)) {
            world.violate(Oracle.REFUSALS, attempt + " is refused though nobody runs it or has run it of late");
        }
    }

    private static boolean isCalm(Attempt attempt) {
        return !attempt.site.isTroubledSince(attempt.began);
    }
}
