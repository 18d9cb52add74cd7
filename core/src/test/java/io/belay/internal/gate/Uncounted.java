package io.belay.internal.gate;

import java.lang.reflect.Field;

/** Gates that cannot count what happens, as for want of memory. */
public final class Uncounted {
    private Uncounted() {}

    /** Has each count of a release fail at this gate from now on, and the move of all its counts. */
    public static void make(Gate gate) throws ReflectiveOperationException {
        Field released = Tally.Frequent.class.getDeclaredField("released");
        released.setAccessible(true);
        released.set(gate.counts, null);
    }
}
