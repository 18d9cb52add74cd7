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
            default -> throw new IllegalArgumentException("no workload '" + settings.workload() + "'");
        };
    }

    private static Guard guard(Settings settings) throws IOException, SQLException {
        GuardedDatabase database = GuardedDatabase.open(settings.directory());
        return settings.plant() == Plant.GUARD_AT_WRITE ? new ComparingTable(database) : new FencedTable(database);
    }
}
