package io.belay.recipes;

import io.belay.simulation.Switch;
import java.util.List;

/** What recipes do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredRecipes {
    private UncuredRecipes() {}

    public static List<Switch> oneLossLeavesSeveralHeld() {
        return List.of(Switch.result(HeldTogether::isHeld, UncuredRecipes::isAnyHeld));
    }

    static boolean isAnyHeld(HeldTogether held) {
        return held.leases().stream().anyMatch(lease -> lease.isHeld());
    }
}
