package io.belay.node;

import io.belay.simulation.Switch;
import io.belay.support.Moment;
import java.util.List;

/** What a store of nodes does where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredNodes {
    private UncuredNodes() {}

    public static List<Switch> nodesEndByOneClock() {
        return List.of(Switch.result(Deadline::at, UncuredNodes::end));
    }

    static long end(Deadline deadline, Moment instant) {
        return deadline.end();
    }
}
