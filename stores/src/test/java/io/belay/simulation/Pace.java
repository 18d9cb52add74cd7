package io.belay.simulation;

import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;

/** How the actors of a world are scheduled: mostly at once, now and then later, and where the plan says so much later. */
final class Pace implements Scheduler.Pace {
    private final Dice dice;
    private final boolean slow;
    private final boolean slowTimers;
    private final BooleanSupplier quiet;
    private final ObjLongConsumer<Machine> trouble;
    private final int timersRarity;
    private final int longestRun;

    Pace(Dice dice, boolean slow, boolean slowTimers, BooleanSupplier quiet, ObjLongConsumer<Machine> trouble) {
        this.quiet = quiet;
        this.trouble = trouble;
        this.dice = dice;
        this.slow = slow;
        this.slowTimers = slowTimers;
        timersRarity = dice.of(2, 8);
        longestRun = dice.of(16, 128, 1024, 1 << 20);
    }

    /** Draws how long it takes until a thread has the processor. */
    long brief() {
        int kind = dice.below(256);
        if (kind < 160) {
            return dice.between(0, 2_000);
        } else if (kind < 250) {
            return dice.between(2_000, 60_000);
        }
        return dice.between(60_000, 2_000_000);
    }

    @Override
    public long delay(Actor actor) {
        if (slow && !quiet.getAsBoolean() && dice.onceIn(500)) {
            long delay = dice.magnitude(1_000_000, 3_000_000_000L);
            trouble.accept(actor.machine, delay);
            return delay;
        }
        if (slowTimers && actor.name.startsWith("belay-keeper") && !quiet.getAsBoolean() && dice.onceIn(timersRarity)) {
            long delay = dice.magnitude(10_000_000, 4_000_000_000L);
            trouble.accept(actor.machine, delay);
            return delay;
        }
        return brief();
    }

    @Override
    public int fuel() {
        return (int) dice.magnitude(1, longestRun);
    }
}
