package io.belay.recipes;

import io.belay.LeaseLostException;
import io.belay.simulation.Switch;
import java.util.List;
import java.util.function.Consumer;

/** What recipes do where a cure is switched off: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredRecipes {
    private UncuredRecipes() {}

    public static List<Switch> oneLossLeavesSeveralHeld() {
        return List.of(Switch.result(HeldTogether::isHeld, UncuredRecipes::isAnyHeld));
    }

    public static List<Switch> lossOfOthersIsNotTold() {
        return List.of(Switch.result(HeldTogether::onLost, UncuredRecipes::listenToFirst));
    }

    static MultiLease listenToFirst(HeldTogether held, Consumer<? super LeaseLostException> listener) {
        held.leases().get(0).onLost(listener);
        return held;
    }

    static boolean isAnyHeld(HeldTogether held) {
        return held.leases().stream().anyMatch(lease -> lease.isHeld());
    }
}
