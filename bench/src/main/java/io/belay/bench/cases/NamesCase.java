package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.NameLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** The case that measures what is left of names that nobody uses any more. */
final class NamesCase implements Case {
    @Override
    public String name() {
        return "names";
    }

    @Override
    public String description() {
        return "a million lock names, each locked and unlocked once by one of 32 threads";
    }

    @Override
    public String timed() {
        return "";
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
        return new NameLoad(context);
    }

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public boolean waitsForKeys() {
        return true;
    }
}
