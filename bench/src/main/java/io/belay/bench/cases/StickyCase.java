package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.AgainLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case that measures what it is worth that a process keeps its lock. */
final class StickyCase implements Case {
    @Override
    public String name() {
        return "sticky";
    }

    @Override
    public String description() {
        return "lock and unlock one lock again and again, 1 thread, while nobody else wants it";
    }

    @Override
    public String timed() {
        return "";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay-sticky", "belay", "redisson", "jdk-fair");
    }

    @Override
    public Set<Store> stores() {
        return Set.of(Store.REDIS, Store.MEMORY);
    }

    @Override
    public Workload work(WorkContext context) {
        return new AgainLoad(context);
    }
}
