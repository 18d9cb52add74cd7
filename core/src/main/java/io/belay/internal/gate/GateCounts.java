package io.belay.internal.gate;

import java.util.function.Consumer;

/**
 * The counts of one gate: what happens all the time, which is moved to the family of its lock when somebody asks, or when the
 * gate retires. What is seldom is counted for the family at once. Guarded by the gate's lock, but for {@link #late}.
 */
final class GateCounts {
    private final Families.Family family;
    private final Tally.Sum acquired = new Tally.Sum();
    private final Tally.Sum released = new Tally.Sum();
    private long handOffs;

    GateCounts(Families.Family family) {
        this.family = family;
    }

    Families.Family family() {
        return family;
    }

    void acquired(long wait, boolean handOff) {
        acquired.add(wait);
        handOffs += handOff ? 1 : 0;
    }

    void released(long held) {
        released.add(held);
    }

    /** Counts what is seldom, or what an answer of the store tells, perhaps after the gate has retired. */
    void late(Consumer<Tally> what) {
        family.count(what);
    }

    /** Moves what was counted to the family. */
    void move() {
        family.count(sum -> sum.take(acquired, released, handOffs));
        handOffs = 0;
    }
}
