package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        assertThat(plan.cases()).isEqualTo(Cases.all());
        assertThat(plan.libraries()).isEqualTo(Libraries.all());
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
    void whatThereIsNotIsRefused() {
        assertThatThrownBy(() -> plan("warm-1"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("no case 'warm-1'");
        assertThatThrownBy(() -> plan("--library", "belay,none"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("no library 'none'");
        assertThatThrownBy(() -> plan("--rounds", "0")).isInstanceOf(ParameterException.class);
    }

    @Test
    void everyCaseNamesLibrariesThatThereAreBelayFirst() {
        assertThat(Cases.all()).hasSize(16).allSatisfy(task -> {
            List<Library> libraries =
                    task.libraries().stream().map(Libraries::get).toList();
            assertThat(libraries.get(0).ours()).isTrue();
            assertThat(libraries).anyMatch(library -> !library.ours());
        });
    }
}
