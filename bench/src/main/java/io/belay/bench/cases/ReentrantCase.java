package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.ReentrantLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case of a lock that its thread holds already: the inner pair of lock and unlock. */
final class ReentrantCase implements Case {
    @Override
    public String name() {
        return "reentrant";
    }

    @Override
    public String description() {
        return "lock and unlock a lock that the thread holds already";
    }

    @Override
    public String timed() {
        return "";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay", "redisson", "spring-redis", "jdk-fair");
    }

    @Override
    public Set<Store> stores() {
        return Set.of(Store.REDIS, Store.MEMORY);
    }

    @Override
    public Workload work(WorkContext context) {
        return new ReentrantLoad(context);
    }
}
