package io.belay.simulation;

import java.util.ArrayList;
import java.util.List;

/** Makes things go wrong, as the plan has it. Runs between the steps. */
final class Gremlin {
    /** By how much a client takes its lease for shorter, beside a hundredth, in microseconds. */
    private static final long TAKEN_OFF = 2_000;

    static final long LONGEST_SUSPENSION = 6_000_000_000L;

    private final World world;
    private final Dice dice;
    private final List<Fault> striking = new ArrayList<>();
    private final int rarity;
    private int countdown;

    Gremlin(World world) {
        this.world = world;
        dice = world.chance.split();
        rarity = dice.of(30, 100, 300);
        for (Fault fault : world.plan.faults()) {
            switch (fault) {
                case OUTAGES,
                        STORE_CRASHES,
                        FAILOVERS,
                        REPLICAS,
                        WALL_STEPS,
                        MONOTONIC_STEPS,
                        SUSPENSIONS,
                        STOPS,
                        DEATHS,
                        INTERRUPTS,
                        SPURIOUS_WAKE_UPS,
                        CLOSES,
                        EVICTIONS,
                        BAD_RENEWALS,
                        FULL_STORE -> striking.add(fault);
                default -> {}
            }
        }
        countdown = rarity;
    }

    void step() {
        if (striking.isEmpty() || world.userActors.isEmpty() || --countdown > 0) {
            return;
        }
        countdown = (int) dice.magnitude(1, 2L * rarity);
        strike(dice.of(striking));
    }

    /** Draws whom it hits: one that holds something as often as anybody. */
    private Site target() {
        List<Grip> held = world.ledger.held();
        return held.isEmpty() || dice.onceIn(2) ? dice.of(world.sites()) : dice.of(held).attempt.site;
    }

    private void strike(Fault fault) {
        Site site = target();
        Machine machine = site.machine;
        switch (fault) {
            case OUTAGES -> {
                if (!world.server.links().isEmpty()) {
                    outage(dice.of(world.server.links()));
                }
            }
            case STORE_CRASHES -> crash();
            case FAILOVERS -> {
                long ahead = dice.magnitude(1_000, 4_000_000);
                tell("store", "is another one, whose clock is " + ahead / 1000 + " ms ahead");
                boolean again = world.troubled > world.scheduler.now() - Thing.LONGEST_LEASE;
                if (ahead >= TAKEN_OFF || again) {
                    world.discounts.all();
                }
                world.server.failOver(ahead);
                world.delayPushes(3_000_000_000L);
                world.trouble(0);
                if (world.has(Fault.OUTAGES)) {
                    world.scheduler.later(
                            dice.magnitude(100_000, 1_000_000_000),
                            () -> List.copyOf(world.server.links()).forEach(this::moves));
                }
            }
            case REPLICAS -> replicate();
            case WALL_STEPS -> {
                // The store is asked anew at the first look after a step ahead, and after a step back nothing is seen
                // until it has answered again.
                long step = dice.magnitude(1_000_000, 20_000_000_000L) * (dice.onceIn(2) ? 1 : -1);
                if (step > 0 || !world.has(Fault.SUSPENSIONS)) {
                    machine.stepWall(step);
                    tell(machine, "has its wall clock put " + step / 1_000_000 + " ms ahead");
                }
            }
            case MONOTONIC_STEPS -> {
                long step = dice.magnitude(1_000_000, 2_000_000_000L);
                machine.stepMonotonic(step);
                world.ends.jumps(machine, step);
                tell(machine, "has its monotonic clock jump " + step / 1_000_000 + " ms ahead");
            }
            case SUSPENSIONS -> {
                long nanos = dice.magnitude(100_000_000, LONGEST_SUSPENSION);
                if (world.has(Fault.REPLICAS) && dice.onceIn(2)) {
                    replicate();
                }
                tell(machine, "is suspended for " + nanos / 1_000_000 + " ms");
                machine.suspend(nanos);
                if (world.server.isLagging()) {
                    world.scheduler.later(nanos + dice.magnitude(100_000, 300_000_000), this::promote);
                }
            }
            case STOPS -> {
                long nanos = dice.magnitude(1_000_000, 6_000_000_000L);
                tell(machine, "is stopped for " + nanos / 1_000_000 + " ms");
                machine.stop(nanos);
            }
            case DEATHS -> {
                if (dice.onceIn(4)) {
                    tell(machine, "is killed");
                    world.kill(site);
                }
            }
            case INTERRUPTS -> {
                Actor user = dice.of(world.userActors);
                Actor closer = site.closer;
                Actor actor = closer == null ? user : closer;
                tell(actor, "is interrupted");
                actor.interrupt(world.scheduler.now());
                world.scheduler.disturb(actor);
            }
            case SPURIOUS_WAKE_UPS -> world.scheduler.disturb(dice.of(world.userActors));
            case CLOSES -> {
                if (dice.onceIn(3)) {
                    world.close(site);
                }
            }
            case EVICTIONS -> world.evict(dice.of(world.things));
            case BAD_RENEWALS -> {
                Thing thing = dice.of(world.things);
                long nanos = dice.magnitude(100_000_000, 4_000_000_000L);
                tell(thing, "cannot be renewed for " + nanos / 1_000_000 + " ms");
                world.spoil(thing, nanos);
            }
            case FULL_STORE -> {
                long nanos = dice.magnitude(1_000_000, 2_000_000_000L);
                tell("store", "is full for " + nanos / 1_000_000 + " ms");
                world.fill(nanos);
            }
            default -> {}
        }
    }

    private void tell(Object who, String what) {
        world.story.tell(world.scheduler, who, () -> what);
    }

    private void outage(Link link) {
        if (!link.isCut()) {
            long nanos = dice.magnitude(1_000_000, 4_000_000_000L);
            tell(link.machine(), "loses its connection for " + nanos / 1_000_000 + " ms");
            link.machine().trouble(nanos);
            link.cut();
            world.scheduler.later(nanos, link::heal);
        }
    }

    private void replicate() {
        if (!world.server.isLagging()) {
            long nanos = dice.magnitude(10_000_000, 6_000_000_000L);
            boolean promoted = dice.onceIn(2);
            tell("store", "has its replica lag for " + nanos / 1_000_000 + " ms" + (promoted ? ", and take over" : ""));
            world.trouble(nanos);
            world.server.lag();
            world.scheduler.later(nanos, promoted ? this::promote : world.server::catchUp);
        }
    }

    /** Finds the server that took over after a while; or at once, where names are put right behind its back. */
    private void moves(Link link) {
        if (dice.onceIn(2)) {
            outage(link);
        }
    }

    private void promote() {
        if (world.server.isLagging()) {
            tell("store", "is the former replica");
            world.discounts.unreplicated();
            world.server.promote();
            world.wentBack = world.scheduler.now();
            // Claims come back though they had left, and those that it does not know are found missing at their
            // renewal.
            world.trouble(Thing.LONGEST_LEASE);
            List.copyOf(world.server.links()).forEach(this::moves);
        }
    }

    private void crash() {
        if (!world.server.isDown()) {
            long nanos = dice.magnitude(1_000_000, 4_000_000_000L);
            tell("store", "ends and starts again after " + nanos / 1_000_000 + " ms");
            world.trouble(nanos);
            world.server.crash();
            List.copyOf(world.server.links()).forEach(Link::cut);
            world.scheduler.later(nanos, () -> {
                world.server.restart();
                List.copyOf(world.server.links()).forEach(Link::heal);
            });
        }
    }
}
