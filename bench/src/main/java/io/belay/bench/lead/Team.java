package io.belay.bench.lead;

import io.belay.bench.cases.Case;
import io.belay.bench.library.Library;
import io.belay.bench.work.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workers of one library in one case. They stay over all rounds, and do nothing while others have theirs. */
public final class Team implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** For what is counted by the million. */
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(10);

    private static final long KEYS_SECONDS = 180;
    private static final long LOOK_MILLIS = 200;

    private final Case task;
    private final Arena arena;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Duration patience;

    /** Starts the processes; {@link #ready} waits for them. */
    public Team(Case task, Library library, Arena arena, int javaFeature) throws IOException {
        this.task = task;
        this.arena = arena;
        patience = task.once() ? LONG_PATIENCE : PATIENCE;
        Path directory =
                Files.createDirectories(arena.directory().resolve(task.name()).resolve(library.name()));
        for (int i = 0; i < task.processes(); i++) {
            workers.add(WorkerProcess.start(
                    arena.java(),
                    javaFeature,
                    Map.of(
                            Worker.CASE, task.name(),
                            Worker.LIBRARY, library.name(),
                            Worker.REDIS, arena.server().url(),
                            Worker.DIRECTORY, directory.toString(),
                            Worker.NUMBER, Integer.toString(i),
                            Worker.SCALE, Double.toString(arena.scale()))));
        }
    }

    /** Waits until all are connected. */
    public void ready() throws InterruptedException {
        for (WorkerProcess worker : workers) {
            worker.expect("connected", patience);
        }
    }

    /**
     * All are at work from "start" to "stop", and each counts for the same time after "measure": nobody is measured
     * while another is not there yet or has gone already.
     */
    public Round round(Duration warmUp, Duration time) throws IOException, InterruptedException {
        if (task.once()) {
            // What the library before this one has left there is none of its doing.
            arena.server().command("FLUSHALL");
        }
        for (WorkerProcess worker : workers) {
            worker.tell("start");
            worker.expect("started", patience);
        }
        Thread.sleep(warmUp.toMillis());
        ServerFigures before = ServerFigures.of(arena.server());
        workers.forEach(worker -> worker.tell(Long.toString(time.toMillis())));
        List<Sample> samples = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            samples.add(Sample.parse(worker.expect("result ", patience)));
        }
        ServerFigures after = ServerFigures.of(arena.server());
        Map<String, Double> figures = new TreeMap<>();
        // In the order opposite to that in which they began: the first may hold what the others are to find taken.
        for (int i = workers.size() - 1; i >= 0; i--) {
            workers.get(i).tell("stop");
            figures.putAll(Sample.parseFigures(workers.get(i).expect("stopped ", patience)));
        }
        if (task.once()) {
            figures.put("serverCpuSeconds", after.cpuSeconds() - before.cpuSeconds());
        }
        if (task.waitsForKeys()) {
            figures.put("serverGrowthMegabytes", after.megabytes() - before.megabytes());
            figures.put("serverKeys", (double) after.keys());
            waitForKeys(figures);
        }
        return Round.of(samples, task.contended()).with(figures);
    }

    private void waitForKeys(Map<String, Double> figures) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        double seconds;
        long keys;
        do {
            keys = ServerFigures.keys(arena.server());
            seconds = (System.nanoTime() - begun) / 1e9;
            Thread.sleep(LOOK_MILLIS);
        } while (keys > 0 && seconds < KEYS_SECONDS * arena.scale());
        figures.put("serverKeysLeft", (double) keys);
        figures.put("serverKeysGoneSeconds", seconds);
    }

    /** What the JVMs are started with, for the report. */
    public static List<String> jvmOptions() {
        return WorkerProcess.OPTIONS;
    }

    @Override
    public void close() {
        workers.forEach(WorkerProcess::end);
    }
}
