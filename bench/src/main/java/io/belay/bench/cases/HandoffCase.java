package io.belay.bench.cases;

import io.belay.bench.work.HandoffLoad;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import java.util.List;

/** The case that measures how long a lock is without a holder. */
final class HandoffCase implements Case {
    @Override
    public String name() {
        return "handoff";
    }

    @Override
    public String description() {
        return "release in one process to granted in another";
    }

    @Override
    public String timed() {
        return "release to grant";
    }

    @Override
    public List<String> libraries() {
        return List.of(
                "belay",
                "redisson",
                "spring-redis-pubsub",
                "jetcd",
                "curator",
                "spring-jdbc-registry",
                "spring-jdbc-registry-tuned",
                "textbook-unique-key");
    }

    @Override
    public Workload work(WorkContext context) {
        return new HandoffLoad(context);
    }

    @Override
    public int processes() {
        return 2;
    }
}
