package io.belay.trials.client;

import io.belay.trials.plant.Plant;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The workloads by name. */
public final class Workloads {
    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("mutex", "locks of 8 names, taken with waiting, for a time, and at once");
        ALL.put("counter", "a counter in an unguarded file, read, slept over and written under the lock");
        ALL.put("guarded", "the same, and beside it a counter in SQLite behind a fence that refuses old tokens");
        ALL.put("rw", "readers against writers, some of whom go on as readers");
        ALL.put("permits", "one, two or all of three permits");
        ALL.put("election", "candidates who lead for a while and resign");
        ALL.put("order", "one lock in strict order; who waits looks for its place");
        ALL.put("churn", "names that nobody has used before, and waits that time out, are cancelled or interrupted");
        ALL.put("multi", "one to three of four locks at once, named in any order");
    }

    private Workloads() {}

    /** What each does. */
    public static Map<String, String> all() {
        return ALL;
    }

    static Workload of(Settings settings, Recorder recorder) throws IOException, SQLException {
        return switch (settings.workload()) {
            case "mutex" -> new MutexWorkload(recorder);
            case "counter" -> new CounterWorkload(recorder, new UnguardedFile(settings.directory()), holding -> {});
            case "guarded" -> new CounterWorkload(recorder, new UnguardedFile(settings.directory()), guard(settings));
            case "rw" -> new RwWorkload(recorder);
            case "permits" -> new PermitsWorkload(recorder);
            case "election" -> new ElectionWorkload(recorder);
            case "order" -> new OrderWorkload(recorder);
            case "churn" -> new ChurnWorkload(recorder);
            case "multi" -> new MultiWorkload(recorder);
            default -> throw new IllegalArgumentException("no workload '" + settings.workload() + "'");
        };
    }

    private static Guard guard(Settings settings) throws IOException, SQLException {
        GuardedDatabase database = GuardedDatabase.open(settings.directory());
        return settings.plant() == Plant.GUARD_AT_WRITE ? new ComparingTable(database) : new FencedTable(database);
    }
}
