package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.MoveLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case that measures what a kept lock costs the others, beside a free one, for which one round trip is enough. */
final class StickyMoveCase implements Case {
    @Override
    public String name() {
        return "sticky-move";
    }

    @Override
    public String description() {
        return "two processes take and give back one lock by turns: a lock that the other keeps, and one that is free";
    }

    @Override
    public String timed() {
        return "asking to holding";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay-sticky", "belay", "redisson");
    }

    @Override
    public Set<Store> stores() {
        return Set.of(Store.REDIS);
    }

    @Override
    public Workload work(WorkContext context) {
        return new MoveLoad(context);
    }

    @Override
    public int processes() {
        return 2;
    }
}
