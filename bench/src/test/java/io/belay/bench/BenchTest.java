package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.report.Metric;
import io.belay.bench.report.Outcome;
import io.belay.bench.report.Result;
import io.belay.bench.store.Store;
import io.belay.bench.store.StoreServer;
import io.belay.bench.work.WorkContext;
import io.belay.bench.work.Workload;
import io.belay.servers.EtcdServer;
import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class BenchTest {
    private static final Duration ROUND = Duration.ofMillis(200);
    /** How long a process takes at most to go once it was killed. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void measuresTheClientAloneWithoutAServer(@TempDir Path directory) throws Exception {
        Premise.withLease(ROUND, round -> {
            Outcome outcome = run(plan(Store.MEMORY, round, cases("hot-1x16"), "belay", "jdk-fair"), directory);
            assertThat(outcome.failed()).as(progress()).isFalse();
            assertThat(outcome.violations()).isZero();
            assertThat(outcome.results()).hasSize(2).allSatisfy(BenchTest::assertAnythingDone);
        });
    }

    /** Nothing has warmed its JVM up: on a busy machine a brief round may be over before anything is done. */
    private static void assertAnythingDone(Result result) {
        assertThat(result.rounds()).hasSize(1);
        double often = result.spread(Metric.OPS).median();
        Premise.check(often != 0, "something is done within a round");
        assertThat(often).isPositive();
    }

    @Test
    void measuresInTurnAndSkipsWhatNeedsALaterJava(@TempDir Path directory) throws Exception {
        Premise.withLease(ROUND, round -> measuresInTurn(round, directory));
    }

    private void measuresInTurn(Duration round, Path directory) throws Exception {
        List<Case> cases = List.of(Cases.find("free-1").orElseThrow(), new FutureCase());
        Outcome outcome = run(plan(Store.REDIS, round, cases, "belay", "lettuce"), directory);
        assertThat(outcome.failed()).as(progress()).isFalse();
        assertThat(outcome.violations()).isZero();
        assertThat(outcome.results()).hasSize(3);
        assertThat(outcome.results().subList(0, 2)).allSatisfy(result -> {
            assertAnythingDone(result);
            assertThat(result.spread(Metric.P99).median())
                    .isGreaterThanOrEqualTo(result.spread(Metric.P50).median());
            assertThat(result.spread(Metric.CPU).median()).isPositive();
            assertThat(result.spread(Metric.SHARE).exists()).isFalse();
        });
        assertThat(outcome.results().get(2).rounds()).isEmpty();
        assertThat(outcome.results().get(2).note()).startsWith("skipped").contains("JDK 999");
        assertThat(outcome.machine().get("redis")).asString().matches("\\d+\\.\\d+\\.\\d+");
        assertThat(progress()).contains("[1/2] free-1", "round 1/1");
    }

    @Test
    void measuresOnEtcd(@TempDir Path directory) throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        Plan plan = plan(Store.ETCD, cases("hot-1x8"), "belay", "jetcd");
        assertMeasured(run(plan, directory), 2);
    }

    @Test
    void measuresOnZooKeeper(@TempDir Path directory) throws Exception {
        Plan plan = plan(Store.ZOOKEEPER, cases("hot-1x8", "permit-1"), "belay", "curator");
        assertMeasured(run(plan, directory), 4);
    }

    @Test
    void measuresOnPostgres(@TempDir Path directory) throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        Plan plan = plan(Store.POSTGRESQL, cases("free-1"), "belay", "shedlock-jdbc");
        assertMeasured(run(plan, directory), 2);
    }

    @Test
    void measuresOnMariaDb(@TempDir Path directory) throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        Plan plan = plan(Store.MARIADB, cases("free-1"), "belay", "spring-jdbc-registry");
        assertMeasured(run(plan, directory), 2);
    }

    @Test
    void measuresAnotherBuild(@TempDir Path directory) throws Exception {
        // This build's own modules, all but the benchmark.
        String modules = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("/target/"))
                .map(Path::of)
                .filter(entry -> !Files.exists(entry.resolve("io/belay/bench")))
                .map(entry -> entry.toUri().toString())
                .collect(Collectors.joining(" "));
        Outcome outcome = against(directory, modules);
        assertMeasured(outcome, 2);
        assertThat(outcome.comparisons())
                .singleElement()
                .satisfies(pair -> assertThat(pair.verdict()).contains("of 1 rounds"));
        assertThat(outcome.machine()).containsKeys("thisBuild", "otherBuild");
    }

    @Test
    void skipsWhatAnotherBuildLacks(@TempDir Path directory) throws Exception {
        Outcome outcome = against(directory, "");
        assertThat(outcome.failed()).as(progress()).isFalse();
        assertThat(outcome.results().get(0).rounds()).hasSize(1);
        assertThat(outcome.results().get(1).rounds()).isEmpty();
        assertThat(outcome.results().get(1).note())
                .startsWith("skipped, since the other build lacks what this uses: io/belay/");
    }

    /** What is left of it would work beside the others, whose figures are then those of a busier machine. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nothingOfALibraryThatFailedGoesOn(@TempDir Path directory) throws Exception {
        Library fails = Libraries.get(Store.REDIS, "lettuce");
        Library other = Libraries.get(Store.REDIS, "belay");
        Plan plan = new Plan(Store.REDIS, cases("try-busy"), List.of(fails, other), 2, ROUND);
        Outcome outcome = run(plan, directory, new PrintStream(progress, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains("round 1/2  lettuce")) {
                    assertThat(workers(directory, fails).get(0).destroyForcibly())
                            .isTrue();
                } else if (line.contains("round 2/2  belay")) {
                    assertThat(workers(directory, other)).hasSize(2);
                    assertThat(workers(directory, fails))
                            .allSatisfy(worker -> assertThat(worker.onExit()).succeedsWithin(PATIENCE));
                }
            }
        });
        assertThat(outcome.results().get(0).note()).as(progress()).isEqualTo("failed: it ended by itself");
        assertThat(outcome.results().get(1).rounds()).hasSize(2);
    }

    /** Returns the processes of a library that are there, by the directory that they were given. */
    private static List<ProcessHandle> workers(Path directory, Library library) {
        String own = directory.resolve("try-busy").resolve(library.name()).toString();
        return ProcessHandle.current()
                .children()
                .filter(child -> environment(child).contains(own))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // It has gone.
        }
    }

    /** Measures beside a build that consists of what is there on a class path. */
    private Outcome against(Path directory, String classPath) throws Exception {
        Path lib = Files.createDirectories(directory.resolve("base/bench/target/dist/lib"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(lib.resolve("belay-core-0.jar")), manifest).close();
        Library belay = Libraries.get(Store.REDIS, "belay");
        Library other = new OtherBuildLibrary(belay, new Checkout(directory.resolve("base")));
        Plan plan = new Plan(Store.REDIS, cases("free-1"), List.of(belay, other), 1, ROUND);
        return run(plan, directory);
    }

    private void assertMeasured(Outcome outcome, int results) {
        assertThat(outcome.failed()).as(progress()).isFalse();
        assertThat(outcome.violations()).isZero();
        // A round has ended only when each thread has had what it asked for; how often in so short a time says nothing.
        assertThat(outcome.results())
                .hasSize(results)
                .allSatisfy(result -> assertThat(result.rounds()).hasSize(1));
        assertThat(String.valueOf(outcome.machine().get(outcome.store().title())))
                .matches("\\d+\\.\\d+.*");
    }

    private static List<Case> cases(String... names) {
        return Stream.of(names).map(name -> Cases.find(name).orElseThrow()).toList();
    }

    private static Plan plan(Store store, List<Case> cases, String... libraries) {
        return plan(store, ROUND, cases, libraries);
    }

    private static Plan plan(Store store, Duration round, List<Case> cases, String... libraries) {
        return new Plan(
                store,
                cases,
                Stream.of(libraries).map(name -> Libraries.get(store, name)).toList(),
                1,
                round);
    }

    private Outcome run(Plan plan, Path directory) throws Exception {
        return run(plan, directory, new PrintStream(progress, true, StandardCharsets.UTF_8));
    }

    private static Outcome run(Plan plan, Path directory, PrintStream progress) throws Exception {
        try (StoreServer server = plan.store().start()) {
            return new Bench(plan, server, directory, progress).run();
        }
    }

    private String progress() {
        return progress.toString(StandardCharsets.UTF_8);
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
