package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.PairLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** A case of locks that nobody else wants. */
record FreeCase(int threads, Set<Store> stores) implements Case {
    @Override
    public String name() {
        return "free-" + threads;
    }

    @Override
    public String description() {
        return threads == 1
                ? "lock and unlock a free lock, 1 thread"
                : "lock and unlock free locks, " + threads + " threads with a lock each";
    }

    @Override
    public String timed() {
        return "lock and unlock";
    }

    @Override
    public List<String> libraries() {
        return List.of(
                "belay",
                "belay-async",
                "belay-parked",
                "redisson",
                "redisson-tuned",
                "lettuce",
                "jedis",
                "spring-redis",
                "spring-jdbc",
                "jetcd",
                "curator",
                "spring-jdbc-registry",
                "textbook-unique-key",
                "shedlock-jdbc");
    }

    @Override
    public Workload work(WorkContext context) {
        return PairLoad.free(context, threads);
    }
}
