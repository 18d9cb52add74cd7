package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.ShareLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** A case of one permit of a semaphore that has four. */
record PermitCase(int processes, int threads, Set<Store> stores) implements Case {
    private static final int PERMITS = 4;

    @Override
    public String name() {
        return alone() ? "permit-1" : "permit-" + processes + "x" + threads;
    }

    @Override
    public String description() {
        return "take and give back one of " + PERMITS + " permits, "
                + (alone()
                        ? "1 thread"
                        : processes + " processes of " + threads + " threads, nothing to do with a permit");
    }

    private boolean alone() {
        return processes * threads == 1;
    }

    @Override
    public String timed() {
        return alone() ? "take and give back" : "asking to holding";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay", "redisson", "curator");
    }

    @Override
    public boolean contended() {
        return processes > 1;
    }

    @Override
    public Workload work(WorkContext context) {
        return ShareLoad.permits(context, processes, threads, PERMITS);
    }
}
