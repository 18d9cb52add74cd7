package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.TryLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case of a try to take a lock that another process holds. */
final class TryBusyCase implements Case {
    @Override
    public String name() {
        return "try-busy";
    }

    @Override
    public String description() {
        return "try once to take a lock that another process holds, 1 thread";
    }

    @Override
    public String timed() {
        return "the attempt";
    }

    @Override
    public List<String> libraries() {
        return List.of(
                "belay",
                "redisson",
                "lettuce",
                "jedis",
                "spring-redis",
                "curator",
                "spring-jdbc-registry",
                "textbook-unique-key",
                "shedlock-jdbc");
    }

    /** Returns all stores but etcd, whose own lock cannot be tried. */
    @Override
    public Set<Store> stores() {
        return Set.of(Store.REDIS, Store.ZOOKEEPER, Store.POSTGRESQL, Store.MARIADB);
    }

    @Override
    public Workload work(WorkContext context) {
        return new TryLoad(context);
    }

    @Override
    public int processes() {
        return 2;
    }
}
