package io.belay.cli.hammer;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.Premise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("long")
class HammerTest {
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
        assertThat(run.exitCode()).as(run.output()).isZero();
        JsonNode report =
                JsonMapper.shared().readTree(run.output().substring(run.output().indexOf('{')));
        assertThat(report.path("store").asString()).isEqualTo("file:${LOCKS_OF_TEST}");
        assertThat(locks).isDirectory();
        assertThat(report.path("name").asString()).isEqualTo("a lock");
        assertThat(report.path("acquisitionsPerSecond").asDouble()).isPositive();
        double least = report.path("leastShare").asDouble();
        Premise.check(least > 0, "each process gets the lock within " + time);
        assertThat(least).isBetween(0.01, 1.0);
        assertThat(report.path("p99Micros").asDouble())
                .isGreaterThanOrEqualTo(report.path("p50Micros").asDouble());
        assertThat(report.path("perProcess").size()).isEqualTo(2);
        assertThat(report.path("violations").asInt()).isZero();
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
