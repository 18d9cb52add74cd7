package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Libraries;
import io.belay.bench.report.Metric;
import io.belay.bench.report.Outcome;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import io.belay.servers.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
    @Test
    void measuresInTurnAndSkipsWhatNeedsALaterJava(@TempDir Path directory) throws Exception {
        Plan plan = new Plan(
                List.of(Cases.find("free-1").orElseThrow(), new FutureCase()),
                List.of(Libraries.get("belay"), Libraries.get("lettuce")),
                1,
                Duration.ofMillis(200));
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        Outcome outcome;
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            outcome = new Bench(plan, server, directory, new PrintStream(progress, true, StandardCharsets.UTF_8)).run();
        }
        assertThat(outcome.failed())
                .as(progress.toString(StandardCharsets.UTF_8))
                .isFalse();
        assertThat(outcome.violations()).isZero();
        assertThat(outcome.results()).hasSize(3);
        assertThat(outcome.results().subList(0, 2)).allSatisfy(result -> {
            assertThat(result.rounds()).hasSize(1);
            assertThat(result.spread(Metric.OPS).median()).isPositive();
            assertThat(result.spread(Metric.P99).median())
                    .isGreaterThanOrEqualTo(result.spread(Metric.P50).median());
            assertThat(result.spread(Metric.CPU).median()).isPositive();
            assertThat(result.spread(Metric.SHARE).exists()).isFalse();
        });
        assertThat(outcome.results().get(2).rounds()).isEmpty();
        assertThat(outcome.results().get(2).note()).startsWith("skipped").contains("JDK 999");
        assertThat(outcome.machine().get("redis")).isEqualTo("7.0.15");
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("[1/2] free-1", "round 1/1");
    }

    private static final class FutureCase implements Case {
        @Override
        public String name() {
            return "future";
        }

        @Override
        public String description() {
            return "what no Java can do yet";
        }

        @Override
        public String timed() {
            return "";
        }

        @Override
        public List<String> libraries() {
            return List.of("belay");
        }

        @Override
        public Workload work(WorkContext context) {
            throw new AssertionError("no worker is started");
        }

        @Override
        public int java() {
            return 999;
        }
    }
}
