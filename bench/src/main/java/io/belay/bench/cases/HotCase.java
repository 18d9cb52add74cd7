package io.belay.bench.cases;

import io.belay.bench.work.PairLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.time.Duration;
import java.util.List;

/** One lock that all want all the time. */
record HotCase(String kind, int processes, int threads, Duration inside, List<String> libraries) implements Case {
    private static final List<String> PEERS = List.of("belay", "redisson", "spring-redis-pubsub");
    private static final List<String> IN_ONE_PROCESS =
            List.of("belay", "belay-fifo", "redisson", "spring-redis-pubsub", "jdk-fair");

    static HotCase empty(int processes, int threads) {
        return new HotCase("hot", processes, threads, Duration.ZERO, processes == 1 ? IN_ONE_PROCESS : PEERS);
    }

    static HotCase strict(int processes, int threads) {
        return new HotCase("strict", processes, threads, Duration.ZERO, List.of("belay-strict", "redisson-fair"));
    }

    static HotCase busy(int processes, int threads) {
        return new HotCase("busy", processes, threads, Duration.ofMillis(1), PEERS);
    }

    @Override
    public String name() {
        return kind + "-" + processes + "x" + threads;
    }

    @Override
    public String description() {
        return "one lock, " + (processes == 1 ? "1 process" : processes + " processes") + " of " + threads
                + " threads, "
                + (kind.equals("strict") ? "served in the order of their asking, " : "")
                + (inside.isZero() ? "nothing to do inside" : inside.toMillis() + " ms of work inside");
    }

    @Override
    public String timed() {
        return "asking to holding";
    }

    @Override
    public boolean contended() {
        return processes > 1;
    }

    @Override
    public Workload work(WorkContext context) {
        return PairLoad.hot(context, threads, inside);
    }
}
