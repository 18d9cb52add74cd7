package io.belay.simulation;

import io.belay.DistributedSemaphore;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Holds;
import io.belay.spi.Claim;

/** Permits that are handed on, so that another client gives them back. */
final class TicketUse {
    private final User user;
    private final World world;
    private final Grip grip;
    private final Thing thing;

    TicketUse(User user, Grip grip) {
        this.user = user;
        world = user.world;
        this.grip = grip;
        thing = grip.attempt.thing;
    }

    private DistributedSemaphore semaphore(Site site) {
        return site.client().joinSemaphore(thing.name, thing.variants.get(grip.attempt.variant));
    }

    /** Has a ticket brought to another client; the holder goes on for a while. */
    void run() {
        Site mine = grip.attempt.site;
        String ticket;
        long sequence = Holds.sequence(grip.lease);
        try {
            ticket = semaphore(mine).ticket(grip.lease);
        } catch (LeaseLostException e) {
            user.sayings.isLost(grip, e);
            return;
        }
        Site other = user.dice.of(world.sites());
        if (!other.isOpen()) {
            return;
        }
        world.spawn("courier", other.machine, false, world.pace.brief(), () -> deliver(other, ticket, sequence));
        if (user.dice.onceIn(2)) {
            world.scheduler.sleep(user.dice.magnitude(1_000, 50_000_000));
        }
    }

    private void deliver(Site site, String ticket, long sequence) {
        if (!site.isOpen()) {
            return;
        }
        Attempt attempt = world.ledger.begin(site, thing, grip.attempt.variant, "ticket's return", false);
        boolean before = isThere(sequence);
        ReleaseOutcome told;
        grip.returned = true;
        world.discounts.handOn(grip);
        try {
            told = semaphore(site).giveBack(ticket);
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
            return;
        } finally {
            world.discounts.handOn(grip); // as of now
        }
        world.ledger.end(attempt, "is told: " + told);
        world.discounts.handedOn(grip);
        boolean after = isThere(sequence);
        long since = attempt.began - world.server.outlives(); // a node outlives the session that its owner has lost
        boolean calm = !site.isTroubledSince(since) && !grip.attempt.site.isTroubledSince(since);
        LockOptions options = thing.variants.get(grip.attempt.variant);
        boolean kept = grip.keptUntil > 0 || options.atLeast().isPresent();
        boolean mayBeLost = options.maxHold().isPresent(); // which ends the hold before the store has heard of it
        if (calm && told == ReleaseOutcome.RELEASED && after && !kept) {
            world.violate(Oracle.RELEASES, attempt + " has released what " + grip + " still has");
        } else if (calm && told == ReleaseOutcome.ALREADY_LOST && before && after && !mayBeLost) {
            world.violate(Oracle.RELEASES, attempt + " finds lost what " + grip + " has");
        }
    }

    private boolean isThere(long sequence) {
        for (Claim claim : world.server.resource(thing.name).holders()) {
            if (claim.id().equals(grip.claim)
                    && claim.sequence() == sequence
                    && claim.deadline() > world.server.micros()) {
                return true;
            }
        }
        return false;
    }
}
