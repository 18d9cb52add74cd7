package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Hold;
import io.belay.simulation.Switch;
import java.util.List;

/** What locks do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredLocks {
    private UncuredLocks() {}

    public static List<Switch> unknownIsLost() {
        return List.of(Switch.result(ReentrantLock::giveBack, UncuredLocks::giveBack));
    }

    public static List<Switch> onceFreesItsName() {
        return List.of(Switch.body(Once::end, UncuredLocks::endAtOnce));
    }

    static void endAtOnce(Lease lease, boolean done) {
        ((Hold) lease).releaseAtOnce();
    }

    static boolean giveBack(ReentrantLock view, Lease lease) {
        return ((Hold) lease).releasePromptly() == ReleaseOutcome.RELEASED;
    }
}
