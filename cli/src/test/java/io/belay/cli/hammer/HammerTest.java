package io.belay.cli.hammer;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("long")
class HammerTest {
    private static final String NOBODY = "belay: no process had the lock in the ";

    @TempDir
    private Path directory;

    @Test
    void measuresAllProcesses() throws Exception {
        Premise.withLease(Duration.ofSeconds(1), this::measuresFor);
    }

    private void measuresFor(Duration time) throws Exception {
        Path locks = directory.resolve("a${b}c$1\\}");
        CommandRun run = Cli.run(
                Map.of("LOCKS_OF_TEST", locks.toString()),
                "hammer",
                "a lock",
                "--store",
                "file:${LOCKS_OF_TEST}",
                "--processes",
                "2",
                "--threads",
                "2",
                "--seconds",
                Long.toString(time.toSeconds()),
                "--json");
        Premise.check(!run.output().contains(NOBODY), "somebody has the lock within " + time);
        assertThat(run.exitCode()).as(run.output()).isZero();
        JsonNode report =
                JsonMapper.shared().readTree(run.output().substring(run.output().indexOf('{')));
        assertThat(report.path("store").asString()).isEqualTo("file:${LOCKS_OF_TEST}");
        assertThat(locks).isDirectory();
        assertThat(report.path("name").asString()).isEqualTo("a lock");
        assertThat(report.path("acquisitionsPerSecond").asDouble()).isPositive();
        double least = report.path("leastShare").asDouble();
        Premise.check(least >= 0.01, "each process gets its part within " + time);
        assertThat(least).isLessThanOrEqualTo(1.0);
        assertThat(report.path("p99Micros").asDouble())
                .isGreaterThanOrEqualTo(report.path("p50Micros").asDouble());
        assertThat(report.path("perProcess").size()).isEqualTo(2);
        assertThat(report.path("violations").asInt()).isZero();
    }

    /** Its percentiles would be those of nothing, and so the best there are. */
    @Test
    void aLockThatNobodyGotIsNoGoodMeasurement() throws Exception {
        String store = "file:" + directory.resolve("locks");
        List<String> line = List.of(
                "hammer", "x", "--store", store, "--processes", "1", "--threads", "1", "--seconds", "1", "--json");
        try (Belay belay = Belay.connect(store);
                Lease lease = belay.lock("x").acquire()) {
            CommandRun run = Cli.run(Map.of(), line.toArray(String[]::new));
            lease.ensureHeld();
            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output()).contains(NOBODY + "1 s");
            String json = run.output()
                    .substring(run.output().indexOf('{'), run.output().lastIndexOf('}') + 1);
            JsonNode report = JsonMapper.shared().readTree(json);
            assertThat(report.path("p50Micros").isNull()).isTrue();
            assertThat(report.path("p99Micros").isNull()).isTrue();
        }
    }

    @Test
    void processesEndWhenTheirParentIsKilled() throws Exception {
        Process parent = Cli.start(
                Map.of(),
                "hammer",
                "x",
                "--store",
                "file:" + directory.resolve("locks"),
                "--processes",
                "2",
                "--seconds",
                "3600");
        List<ProcessHandle> workers = List.of();
        try (BufferedReader progress = parent.inputReader()) {
            String line = progress.readLine();
            while (line != null && !line.startsWith("measuring")) {
                line = progress.readLine();
            }
            workers = parent.children().toList();
            assertThat(workers).as(line).hasSize(2);
            parent.destroyForcibly();
            for (ProcessHandle worker : workers) {
                worker.onExit().get(Pace.seconds(), TimeUnit.SECONDS);
            }
        } finally {
            parent.destroyForcibly();
            workers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** As a container may limit them; here by so much room for so large stacks. */
    @Test
    void whereNoThreadIsToBeHadOneLineSaysSo() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -v 5000000; exec \"$0\" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m -Xss256m "
                                + HammerWorker.class.getName(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .redirectErrorStream(true);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment()
                .putAll(Map.of(
                        HammerWorker.STORE, "file:" + directory.resolve("locks"),
                        HammerWorker.NAME, "x",
                        HammerWorker.CLIENT, "hammer-1",
                        HammerWorker.THREADS, "1000",
                        HammerWorker.SECONDS, "1",
                        HammerWorker.LEASE, "PT30S",
                        HammerWorker.SLICE, "PT0.002S",
                        HammerWorker.STRICT, "false"));
        Process worker = builder.start();
        try (Writer steps = worker.outputWriter()) {
            steps.write("run\n");
            steps.flush();
            CommandRun run = CommandRun.of(worker);
            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output().lines())
                    .last()
                    .asString()
                    .startsWith("OutOfMemoryError: unable to create native thread");
        }
    }

    @Test
    void violationsAreNoticed() {
        Exclusion exclusion = new Exclusion();
        exclusion.enter(1);
        exclusion.leave();
        exclusion.enter(2);
        assertThat(exclusion.violations()).isZero();
        exclusion.enter(3);
        assertThat(exclusion.violations()).isEqualTo(1);
        exclusion.leave();
        exclusion.enter(3);
        assertThat(exclusion.violations()).isEqualTo(2);
    }
}
