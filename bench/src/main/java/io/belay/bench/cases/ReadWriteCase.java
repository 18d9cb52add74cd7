package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.ShareLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;
import java.util.Set;

/** A case of one lock for readers and writers. */
record ReadWriteCase(int processes, int threads, Set<Store> stores) implements Case {
    private static final int EVERY = 10;

    @Override
    public String name() {
        return "read-write-" + processes + "x" + threads;
    }

    @Override
    public String description() {
        return "one lock, " + processes + " processes of " + threads + " threads, each a writer once in " + EVERY
                + " times and else a reader, nothing to do inside";
    }

    @Override
    public String timed() {
        return "asking to holding";
    }

    @Override
    public List<String> libraries() {
        return List.of("belay", "redisson", "curator");
    }

    @Override
    public boolean contended() {
        return true;
    }

    @Override
    public Workload work(WorkContext context) {
        return ShareLoad.readWrite(context, processes, threads, EVERY);
    }
}
