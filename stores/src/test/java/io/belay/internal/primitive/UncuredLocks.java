package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.simulation.Switch;
import io.belay.spi.Resource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What locks do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredLocks {
    private UncuredLocks() {}

    public static List<Switch> unknownIsLost() {
        return List.of(Switch.result(ReentrantLock::giveBack, UncuredLocks::giveBack));
    }

    public static List<Switch> onceFreesItsName() {
        return List.of(Switch.body(Once::end, UncuredLocks::endAtOnce));
    }

    public static List<Switch> strictOrderIsForgotten() {
        return List.of(Switch.result(Lock::exclusive, UncuredLocks::exclusiveInSlices));
    }

    public static List<Switch> countsTakeNoTurns() {
        return List.of(Switch.result(Latch::turn, UncuredLocks::ownTurn));
    }

    private static long turns;

    /** A turn with a lock that nobody else has. */
    static Lease ownTurn(Latch latch) {
        return Lock.ending(latch.gates, latch.name + ":turn:" + ++turns, LockOptions.defaults())
                .acquireUninterruptibly();
    }

    static Lock exclusiveInSlices(Gates gates, String name, LockOptions options) {
        return new Lock(
                gates, name, Resource.WHOLE, Resource.WHOLE, options.withStrictOrder(false), false, new AtomicLong());
    }

    static void endAtOnce(Lease lease, boolean done) {
        ((Hold) lease).releaseAtOnce();
    }

    static boolean giveBack(ReentrantLock view, Lease lease) {
        return ((Hold) lease).releasePromptly(view.engine.requestTimeout()) == ReleaseOutcome.RELEASED;
    }
}
