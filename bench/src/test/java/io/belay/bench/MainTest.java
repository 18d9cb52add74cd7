package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class MainTest {
    private static Plan plan(String... args) {
        CommandLine command = Main.command();
        command.parseArgs(args);
        return command.<Main>getCommand().plan();
    }

    @Test
    void everythingFiveTimesUnlessToldOtherwise() {
        Plan plan = plan();
        assertThat(plan.cases()).isEqualTo(Cases.all(Store.REDIS));
        assertThat(plan.libraries()).isEqualTo(Libraries.all(Store.REDIS));
        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.scale()).isEqualTo(1);
    }

    @Test
    void casesLibrariesRoundsAndSecondsArePicked() {
        Plan plan = plan("hot-4x4", "names", "--library", "redisson,belay", "--rounds", "2", "--seconds", "1");
        assertThat(plan.cases()).extracting(Case::name).containsExactly("hot-4x4", "names");
        assertThat(plan.of(plan.cases().get(0))).extracting(Library::name).containsExactly("redisson", "belay");
        assertThat(plan.rounds(plan.cases().get(0))).isEqualTo(2);
        assertThat(plan.rounds(plan.cases().get(1))).isEqualTo(1);
        assertThat(plan.time()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan.scale()).isEqualTo(0.25);
    }

    @Test
    void aStoreHasItsCasesAndItsLibraries() {
        Plan plan = plan("--store", "zookeeper");
        assertThat(plan.store()).isEqualTo(Store.ZOOKEEPER);
        assertThat(plan.cases())
                .extracting(Case::name)
                .contains("hot-1x8", "permit-1")
                .doesNotContain("names");
        assertThat(plan.of(plan.cases().get(0)))
                .extracting(Library::name)
                .containsExactly("belay", "belay-async", "belay-parked", "curator");
    }

    @Test
    void databasesHaveThePeersThatLockInTables() {
        for (Store store : List.of(Store.POSTGRESQL, Store.MARIADB)) {
            Plan plan = plan("--store", store.title(), "free-1", "hot-4x4", "strict-4x4");
            assertThat(plan.store()).isEqualTo(store);
            assertThat(plan.cases().stream().map(task -> String.join(" ", names(plan, task))))
                    .containsExactly(
                            "belay belay-async belay-parked spring-jdbc-registry textbook-unique-key shedlock-jdbc",
                            "belay spring-jdbc-registry spring-jdbc-registry-tuned textbook-unique-key",
                            "belay-strict");
            assertThat(plan("--store", store.title()).cases())
                    .extracting(Case::name)
                    .containsExactly("free-1", "hot-1x8", "hot-4x4", "strict-4x4", "busy-4x4", "handoff", "try-busy");
        }
    }

    @Test
    void anotherBuildHasItsTurnsBehindEachOfBelaysSettings(@TempDir Path base) throws Exception {
        assertThatThrownBy(() -> plan("--against", base.toString()))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--against: no built checkout of Belay at " + base);
        Files.createFile(
                Files.createDirectories(base.resolve("bench/target/dist/lib")).resolve("belay-core-0.jar"));
        Plan plan = plan("--against", base.toString(), "sticky", "renewals", "strict-4x4");
        assertThat(plan.cases().stream().map(task -> String.join(" ", names(plan, task))))
                .containsExactly(
                        "belay belay-other belay-sticky belay-sticky-other",
                        "belay belay-other",
                        "belay-strict belay-strict-other");
        assertThat(plan.rounds(plan.cases().get(1))).isEqualTo(5);
        assertThat(plan.other()).contains(new Checkout(base));
        Plan besidePeer = plan("--against", base.toString(), "--library", "belay,redisson", "sticky");
        assertThat(names(besidePeer, besidePeer.cases().get(0))).containsExactly("belay", "belay-other", "redisson");
        assertThatThrownBy(() -> plan("--against", base.toString(), "--library", "redisson"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--library names none of its settings");
    }

    private static List<String> names(Plan plan, Case task) {
        return plan.of(task).stream().map(Library::name).toList();
    }

    @Test
    void whatThereIsNotIsRefused() {
        assertThatThrownBy(() -> plan("--store", "etcd", "names"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("case 'names' is not measured on etcd");
        assertThatThrownBy(() -> plan("--store", "etcd", "--library", "redisson"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("no library 'redisson' on etcd");
        assertThatThrownBy(() -> plan("--store", "consul"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("expected one of");
        assertThatThrownBy(() -> plan("warm-1"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("no case 'warm-1'");
        assertThatThrownBy(() -> plan("--library", "belay,none"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("no library 'none'");
        assertThatThrownBy(() -> plan("--rounds", "0")).isInstanceOf(ParameterException.class);
    }

    /** Java itself would end with 1, which is a result. */
    @Test
    void anErrorIsNoResult() {
        @CommandLine.Command
        final class Failing implements Runnable {
            @Override
            public void run() {
                throw new OutOfMemoryError("no thread is to be had");
            }
        }
        assertThat(Main.run(new CommandLine(new Failing()))).isEqualTo(2);
    }

    @Test
    void everyCaseNamesLibrariesThatThereAreBelayFirst() {
        Set<String> known = Stream.of(Store.values())
                .flatMap(store -> Libraries.all(store).stream())
                .map(Library::name)
                .collect(Collectors.toSet());
        assertThat(Cases.all()).hasSize(20).allSatisfy(task -> {
            assertThat(known).containsAll(task.libraries());
            assertThat(task.stores())
                    .isNotEmpty()
                    .allSatisfy(store -> assertThat(
                                    Plan.of(task, Libraries.all(store)).findFirst())
                            .hasValueSatisfying(
                                    first -> assertThat(first.ours()).isTrue()));
            assertThat(task.libraries()).anyMatch(name -> !name.startsWith("belay"));
        });
    }
}
