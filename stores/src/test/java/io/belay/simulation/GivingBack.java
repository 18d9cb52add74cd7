package io.belay.simulation;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.spi.Resource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Somebody who is slow to give back what was ended by force and its client does not know of yet, while others try. */
public final class GivingBack {
    private static final long MOMENT = 1_000_000;

    private final World world = new World(Plan.parse("1 4000 2 0 1 nodes - TRIES"), Set.of(), false);
    private final Thing thing = world.things.get(0);
    private final Runnable tries;
    private final boolean first;

    private boolean tried;

    /** @param first whether they try before the client hears of the release, and not after it */
    private GivingBack(boolean first, String tries) {
        this.first = first;
        this.tries = switch (tries) {
            case "user" -> this::tries;
            case "own" -> () -> saysRefused(world.sites().get(0));
            default -> () -> saysRefused(world.sites().get(1));
        };
    }

    /**
     * Runs it.
     *
     * @param tries who tries: a user of the same client; or whoever says to have been refused, of that client ("own") or another
     * @return what promise was broken; null if none was
     */
    public static @Nullable String run(boolean first, String tries) {
        GivingBack scene = new GivingBack(first, tries);
        scene.world.scheduler.later(MOMENT, scene::begin);
        Violation violation = scene.world.run();
        return violation == null ? null : violation.toString();
    }

    private void begin() {
        world.spawn("user", world.sites().get(0).machine, false, MOMENT, this::use);
    }

    private DistributedLock lock() {
        return world.sites().get(0).client().lock(thing.name, thing.variants.get(0));
    }

    private void use() {
        Attempt attempt = world.ledger.begin(world.sites().get(0), thing, 0, "wait", true);
        Lease lease;
        try {
            lease = lock().acquire();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Grip grip = world.ledger.got(attempt, lease, Resource.WHOLE);
        world.discounts.evict(thing);
        world.server.evict(thing.name);
        world.scheduler.sleep(MOMENT);
        world.ledger.givesBack(grip);
        world.scheduler.sleep(MOMENT);
        if (first) {
            othersTry();
        }
        lease.release();
        world.scheduler.sleep(MOMENT);
        if (!first) {
            othersTry();
        }
        world.scheduler.end();
    }

    private void othersTry() {
        world.spawn("another", world.sites().get(0).machine, false, 0, () -> {
            tries.run();
            tried = true;
        });
        world.scheduler.sleep(50 * MOMENT); // the store tells of what was ended by force when that is 100 ms old
        if (!tried) {
            throw new IllegalStateException("nobody has tried");
        }
    }

    private void tries() {
        Attempt attempt = begins(world.sites().get(0));
        Optional<Lease> had = lock().tryAcquire();
        if (had.isEmpty()) {
            world.refusals.notHad(attempt);
        } else {
            world.ledger.got(attempt, had.get(), Resource.WHOLE);
        }
        if (had.isPresent() == first) {
            throw new IllegalStateException("the try found " + had);
        }
    }

    private void saysRefused(Site site) {
        Attempt attempt = begins(site);
        world.scheduler.sleep(MOMENT);
        world.refusals.notHad(attempt);
    }

    private Attempt begins(Site site) {
        return world.ledger.begin(site, thing, 0, "try", true).within(0);
    }
}
