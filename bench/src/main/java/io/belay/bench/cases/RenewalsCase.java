package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.RenewalLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The case that measures what it costs to hold many leases. */
final class RenewalsCase implements Case {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int HELD_FOR = 15;

    @Override
    public String name() {
        return "renewals";
    }

    @Override
    public String description() {
        return "100,000 leases held for a minute";
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
        return new RenewalLoad(context);
    }

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public Duration time(Duration asked) {
        Duration longer = asked.multipliedBy(HELD_FOR);
        return longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
    }
}
