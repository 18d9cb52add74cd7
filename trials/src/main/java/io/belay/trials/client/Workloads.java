package io.belay.trials.client;

import io.belay.trials.library.Ask;
import io.belay.trials.library.Library;
import io.belay.trials.plant.Plant;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The workloads by name. */
public final class Workloads {
    private static final int THREADS = 3;
    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("mutex", "locks of 8 names, taken with waiting, for a time, and at once");
        ALL.put("sticky", "the same, of locks that whoever had them last keeps until another process wants them");
        ALL.put("counter", "a counter in an unguarded file, read, slept over and written under the lock");
        ALL.put("guarded", "the same, and beside it a counter in SQLite behind a fence that refuses old tokens");
        ALL.put("rw", "readers against writers, some of whom go on as readers");
        ALL.put("permits", "one, two or all of three permits");
        ALL.put("election", "candidates who lead for a while and resign");
        ALL.put("order", "one lock in strict order; who waits looks for its place");
        ALL.put("churn", "names that nobody has used before, and waits that time out, are cancelled or interrupted");
        ALL.put("fresh", "clients that are opened, give up their first request and are closed, beside some that wait");
        ALL.put("storm", "a hundred clients that try one lock for 50 ms each, again and again");
        ALL.put(
                "mixed",
                "one lock asked for in strict order, with a fixed lease, sticky, without barging, and plainly");
        ALL.put(
                "jobs",
                "locks with a fixed lease or a longest hold, whose ends are moved, and which stay taken after their"
                        + " release");
        ALL.put("multi", "one to three of four locks at once, named in any order");
        ALL.put("rings", "two of four locks, one after the other in any order, by threads that give up in a deadlock");
    }

    private Workloads() {}

    /** Returns the workloads by name, with what each does. */
    public static Map<String, String> all() {
        return ALL;
    }

    /** Returns the number of threads of a process that work at it. */
    public static int threads(String workload) {
        return workload.equals("storm") ? StormWorkload.THREADS : THREADS;
    }

    /** Makes a workload; {@code opener} opens more clients of the library. */
    static Workload of(Settings settings, Recorder recorder, Supplier<Library> opener)
            throws IOException, SQLException {
        return switch (settings.workload()) {
            case "mutex" -> new MutexWorkload(recorder, Ask.Kind.MUTEX);
            case "sticky" -> new MutexWorkload(recorder, Ask.Kind.STICKY);
            case "counter" -> new CounterWorkload(recorder, new UnguardedFile(settings.directory()), holding -> {});
            case "guarded" -> new CounterWorkload(recorder, new UnguardedFile(settings.directory()), guard(settings));
            case "rw" -> new RwWorkload(recorder);
            case "permits" -> new PermitsWorkload(recorder);
            case "election" -> new ElectionWorkload(recorder);
            case "order" -> new OrderWorkload(recorder);
            case "churn" -> new ChurnWorkload(recorder);
            case "fresh" -> new FreshWorkload(recorder, opener, settings.lease());
            case "storm" -> new StormWorkload(recorder, opener);
            case "mixed" -> new MixedWorkload(recorder, kinds(settings.url()));
            case "jobs" -> new JobsWorkload(recorder, opener, settings.lease());
            case "multi" -> new MultiWorkload(recorder);
            case "rings" -> new RingsWorkload(recorder);
            default -> throw new IllegalArgumentException("no workload '" + settings.workload() + "'");
        };
    }

    /** The kinds of mutex that the store behind a URL has. */
    private static List<Ask.Kind> kinds(String url) {
        List<Ask.Kind> kinds = new ArrayList<>(
                List.of(Ask.Kind.MUTEX, Ask.Kind.ORDERED, Ask.Kind.FIXED, Ask.Kind.STICKY, Ask.Kind.NO_BARGING));
        if (url.startsWith("zookeeper:")) {
            kinds.remove(Ask.Kind.FIXED);
        }
        if (url.startsWith("quorum:")) {
            kinds.remove(Ask.Kind.ORDERED);
        }
        return kinds;
    }

    private static Guard guard(Settings settings) throws IOException, SQLException {
        GuardedDatabase database = GuardedDatabase.open(settings.directory());
        return settings.plant() == Plant.GUARD_AT_WRITE ? new ComparingTable(database) : new FencedTable(database);
    }
}
