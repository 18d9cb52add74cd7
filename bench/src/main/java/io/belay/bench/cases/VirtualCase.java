package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.VirtualLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case of very many threads, all virtual. */
final class VirtualCase implements Case {
    @Override
    public String name() {
        return "virtual";
    }

    @Override
    public String description() {
        return "10,000 virtual threads on 100 locks";
    }

    @Override
    public String timed() {
        return "asking to holding";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay", "redisson");
    }

    @Override
    public Set<Store> stores() {
        return Set.of(Store.REDIS, Store.MEMORY);
    }

    @Override
    public Workload work(WorkContext context) {
        return new VirtualLoad(context);
    }

    @Override
    public int java() {
        return 21;
    }
}
