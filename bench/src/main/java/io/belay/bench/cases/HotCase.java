package io.belay.bench.cases;

import io.belay.bench.store.Store;
import io.belay.bench.work.PairLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A case of one lock that all threads want all the time. */
record HotCase(String kind, int processes, int threads, Duration inside, Set<Store> stores, List<String> libraries)
        implements Case {
    private static final List<String> PEERS = List.of(
            "belay",
            "redisson",
            "spring-redis-pubsub",
            "jetcd",
            "curator",
            "spring-jdbc-registry",
            "spring-jdbc-registry-tuned",
            "textbook-unique-key");
    private static final List<String> IN_ONE_PROCESS = List.of(
            "belay",
            "belay-fifo",
            "redisson",
            "spring-redis-pubsub",
            "jetcd",
            "curator",
            "spring-jdbc-registry",
            "textbook-unique-key",
            "jdk-fair");

    static HotCase empty(int processes, int threads, Store... stores) {
        return new HotCase(
                "hot", processes, threads, Duration.ZERO, Set.of(stores), processes == 1 ? IN_ONE_PROCESS : PEERS);
    }

    static HotCase strict(int processes, int threads, Store... stores) {
        return new HotCase(
                "strict",
                processes,
                threads,
                Duration.ZERO,
                Set.of(stores),
                List.of("belay-strict", "redisson-fair", "jetcd", "curator"));
    }

    static HotCase busy(int processes, int threads, Store... stores) {
        return new HotCase("busy", processes, threads, Duration.ofMillis(1), Set.of(stores), PEERS);
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
