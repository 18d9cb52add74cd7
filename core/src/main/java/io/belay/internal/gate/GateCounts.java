package io.belay.internal.gate;

import java.util.function.Consumer;

/**
 * The counts of one gate: what happens all the time in plain fields, which are moved to the family of its lock when somebody
 * asks, or when the gate retires. Guarded by the gate's lock, but for {@link #late}.
 */
final class GateCounts {
    private final Families.Family family;
    private final Tally tally = new Tally();
    private boolean retired;

    GateCounts(Families.Family family) {
        this.family = family;
    }

    Families.Family family() {
        return family;
    }

    void acquired(long wait, boolean handOff) {
        tally.acquired(wait, handOff);
    }

    void released(long held) {
        tally.released(held);
    }

    /** Counts what happens seldom, perhaps after the gate has retired. */
    void seldom(Consumer<Tally> what) {
        if (retired) {
            family.count(what);
        } else {
            what.accept(tally);
        }
    }

    /** Counts what an answer of the store tells, without the gate's lock. */
    void late(Consumer<Tally> what) {
        family.count(what);
    }

    /** Moves what was counted to the family. */
    void move() {
        family.count(sum -> sum.take(tally));
    }

    void retire() {
        retired = true;
        move();
    }
}
