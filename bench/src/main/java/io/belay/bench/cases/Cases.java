package io.belay.bench.cases;

import java.util.List;
import java.util.Optional;

/** All that can be measured, in the order in which they are. */
public final class Cases {
    private static final List<Case> ALL = List.of(
            new FreeCase(1),
            new FreeCase(32),
            HotCase.empty(1, 16),
            HotCase.empty(1, 32),
            HotCase.empty(4, 4),
            HotCase.empty(8, 2),
            HotCase.strict(4, 4),
            HotCase.busy(4, 4),
            new HandoffCase(),
            new ReentrantCase(),
            new StickyCase(),
            new StickyMoveCase(),
            new TryBusyCase(),
            new RenewalsCase(),
            new NamesCase(),
            new VirtualCase());

    private Cases() {}

    public static List<Case> all() {
        return ALL;
    }

    public static Optional<Case> find(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
    }
}
