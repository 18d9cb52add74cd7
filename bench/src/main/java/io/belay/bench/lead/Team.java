package io.belay.bench.lead;

import io.belay.bench.cases.Case;
import io.belay.bench.library.Library;
import io.belay.bench.store.MeasuredServer;
import io.belay.bench.store.ServerFigures;
import io.belay.bench.store.Store;
import io.belay.bench.work.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The workers of one library in one case. They stay over all rounds, and do nothing in those of other libraries. */
public final class Team implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The longest to wait in a case of one round, which does things by the million. */
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);

    private static final long KEYS_SECONDS = 180;
    private static final long LOOK_MILLIS = 200;
    private static final long LOOK_AT_COMPILERS_MILLIS = 1_000;
    /** The part of its time below which a compiler is at rest: one in so many. */
    private static final long BUSY_PART = 20;

    private final Case task;
    private final Store store;
    private final Library library;
    private final Arena arena;
    private final int javaFeature;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Duration patience;
    /** The server of a case that asks what the server uses; null for other cases. */
    private final @Nullable MeasuredServer measured;

    public Team(Case task, Store store, Library library, Arena arena, int javaFeature) {
        this.task = task;
        this.store = store;
        this.library = library;
        this.arena = arena;
        this.javaFeature = javaFeature;
        patience = task.once() ? LONG_PATIENCE : PATIENCE;
        measured = task.once() && arena.server() instanceof MeasuredServer server ? server : null;
    }

    /**
     * Starts the processes, and waits until all are connected: one after the other, since the start of many JVMs at
     * once takes so long on a busy machine that a library gives up connecting.
     */
    public void start() throws IOException, InterruptedException {
        Path directory =
                Files.createDirectories(arena.directory().resolve(task.name()).resolve(library.name()));
        for (int i = 0; i < task.processes(); i++) {
            WorkerProcess worker = WorkerProcess.start(
                    arena.java(),
                    javaFeature,
                    library.classPath(),
                    Map.of(
                            Worker.CASE, task.name(),
                            Worker.LIBRARY, library.listedName(),
                            Worker.NAME, "bench:" + task.name() + ":" + library.lockName(),
                            Worker.STORE, store.name(),
                            Worker.URL, arena.server().url(),
                            Worker.DIRECTORY, directory.toString(),
                            Worker.NUMBER, Integer.toString(i),
                            Worker.SCALE, Double.toString(arena.scale())));
            workers.add(worker);
            worker.expect("connected", patience);
        }
    }

    /**
     * Lets the workers do a round. All are at work from "start" to "stop", and each counts for the same time after it
     * was told that time: none is measured while another is not there yet or has gone already.
     */
    public Round round(WarmUp warmUp, Duration time) throws IOException, InterruptedException {
        if (measured != null) {
            // What the library before this one has left there is none of its doing.
            measured.clear();
        }
        for (WorkerProcess worker : workers) {
            worker.tell("start");
            worker.expect("started", patience);
        }
        warm(warmUp);
        ServerFigures before = measured == null ? null : measured.figures();
        workers.forEach(worker -> worker.tell(Long.toString(time.toMillis())));
        List<Sample> samples = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            samples.add(sample(worker));
        }
        Map<String, Double> figures = new TreeMap<>();
        ServerFigures after = measured == null ? null : measured.figures();
        // In the order opposite to that in which they began: the first may hold what the others are to find taken.
        for (int i = workers.size() - 1; i >= 0; i--) {
            workers.get(i).tell("stop");
            figures.putAll(Sample.parseFigures(workers.get(i).expect("stopped ", patience)));
        }
        if (measured != null && before != null && after != null) {
            figures.put("serverCpuSeconds", after.cpuSeconds() - before.cpuSeconds());
            if (task.waitsForKeys()) {
                figures.put("serverGrowthMegabytes", after.megabytes() - before.megabytes());
                figures.put("serverKeys", (double) after.keys());
                waitForKeys(measured, figures);
            }
        }
        return Round.of(samples, task.contended()).with(figures);
    }

    private Sample sample(WorkerProcess worker) throws IOException, InterruptedException {
        String line = worker.expect("result ", patience);
        try {
            return Sample.parse(line);
        } catch (IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()));
        }
    }

    /** Waits until the compilers rest, which is late where operations are few, as a compiler waits for thousands. */
    private void warm(WarmUp warmUp) throws InterruptedException {
        long begun = System.nanoTime();
        Thread.sleep(warmUp.least().toMillis());
        long before = compiled();
        while (System.nanoTime() - begun < warmUp.longest().toNanos()) {
            Thread.sleep(LOOK_AT_COMPILERS_MILLIS);
            long now = compiled();
            if (now - before < LOOK_AT_COMPILERS_MILLIS * workers.size() / BUSY_PART) {
                return;
            }
            before = now;
        }
    }

    /** Returns for how many milliseconds the compilers of all workers have worked. */
    private long compiled() throws InterruptedException {
        long sum = 0;
        for (WorkerProcess worker : workers) {
            worker.tell(Worker.COMPILED);
            sum += Long.parseLong(worker.expect(Worker.COMPILED + " ", patience).trim());
        }
        return sum;
    }

    private void waitForKeys(MeasuredServer server, Map<String, Double> figures)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        double seconds;
        long keys;
        do {
            keys = server.keys();
            seconds = (System.nanoTime() - begun) / 1e9;
            Thread.sleep(LOOK_MILLIS);
        } while (keys > 0 && seconds < KEYS_SECONDS * arena.scale());
        figures.put("serverKeysLeft", (double) keys);
        figures.put("serverKeysGoneSeconds", seconds);
    }

    /** Returns the options with which the JVMs are started, for the report. */
    public static List<String> jvmOptions() {
        return WorkerProcess.OPTIONS;
    }

    @Override
    public void close() {
        workers.forEach(WorkerProcess::end);
    }
}
