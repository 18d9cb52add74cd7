package io.belay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.bench.cases.Cases;
import io.belay.bench.lead.Round;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    private static final double NONE = Double.NaN;
    private static final Library BELAY = Libraries.get(Store.REDIS, "belay");
    private static final Library OTHER = new OtherBuildLibrary(BELAY, new Checkout(Path.of("base")));

    private static Result speed(Library library, double... perSecond) {
        return result("free-1", library, perSecond, NONE);
    }

    private static Result result(String task, Library library, double[] perSecond, double cpu) {
        List<Round> rounds = DoubleStream.of(perSecond)
                .mapToObj(one -> new Round(one, NONE, NONE, NONE, cpu, 0, Map.of()))
                .toList();
        return new Result(Cases.find(task).orElseThrow(), library, rounds, "");
    }

    private static String verdict(double... perSecond) {
        return new Comparison(speed(BELAY, perSecond), speed(OTHER, 1_000, 1_000, 1_000, 1_000, 1_000)).verdict();
    }

    @Test
    void littleIsTold() {
        assertThat(verdict(1_010, 1_020, 990, 1_000, 1_030))
                .isEqualTo(
                        "free-1, belay, per second: not behind (ahead by 1.0 % in the medians, behind by no more than"
                                + " 1.0 % in any round; behind in 1 of 5 rounds, spread 4.0 %)");
        assertThat(verdict(1_000, 1_000, 1_000, 1_000, 1_000))
                .contains("not behind (ahead by 0.0 % in the medians; behind in 0 of 5 rounds, spread 0.0 %)");
        assertThat(verdict(971, 971, 971, 971, 971)).contains(": behind by no more than 3 % (2.9 % in the medians, ");
    }

    @Test
    void whatTheRoundsDifferByIsNoFinding() {
        assertThat(verdict(900, 950, 1_050, 940, 960))
                .contains(": behind by more than 3 %, but no more than the spread of the rounds (5.0 % in the medians,"
                        + " behind by no more than 10.0 % in any round; behind in 4 of 5 rounds, spread 15.8 %)");
    }

    @Test
    void moreThanThatIsOne() {
        assertThat(verdict(900, 910, 890, 880, 920))
                .contains(": behind by more than 3 % and than the spread of the rounds (10.0 % in the medians,"
                        + " behind by no more than 12.0 % in any round; behind in 5 of 5 rounds, spread 4.4 %)");
    }

    @Test
    void fewRoundsTellNothing() {
        assertThat(verdict(900)).contains("behind in 1 of 1 rounds, which are too few to tell, spread 0.0 %");
    }

    @Test
    void lessTimeIsBetter() {
        double[] none = {NONE, NONE};
        Result more = result("renewals", BELAY, none, 2.2);
        Result less = result("renewals", OTHER, none, 2.0);
        Comparison dearer = new Comparison(more, less);
        assertThat(dearer.metrics()).containsExactly(Metric.CPU);
        assertThat(dearer.ratio(Metric.CPU)).isEqualTo(1.1);
        assertThat(dearer.verdict())
                .startsWith("renewals, belay, client CPU s: behind by more than 3 %")
                .contains("10.0 % in the medians");
        assertThat(new Comparison(less, more).verdict()).contains("not behind (ahead by 9.1 %");
    }

    @Test
    void whatOneBuildCannotDoIsNotCompared() {
        Result lacking = new Result(Cases.find("free-1").orElseThrow(), OTHER, List.of(), "skipped, since it is old");
        assertThat(new Comparison(speed(BELAY, 1), lacking).verdict())
                .isEqualTo("free-1, belay: not compared; belay-other skipped, since it is old");
    }

    @Test
    void thePageTellsOfBoth(@TempDir Path directory) throws Exception {
        Library async = Libraries.get(Store.REDIS, "belay-async");
        Outcome outcome = new Outcome(
                Store.REDIS,
                Map.of("otherBuild", "0123abc (Begins)"),
                3,
                4,
                List.of(
                        speed(BELAY, 1_100, 900, 1_000),
                        speed(OTHER, 1_000, 1_000, 1_000),
                        speed(async, 2_000, 2_000, 2_000),
                        speed(Libraries.get(Store.REDIS, "lettuce"), 500, 500, 500)));
        assertThat(outcome.comparisons()).hasSize(1);
        assertThat(Files.readString(Pages.write(outcome, directory)))
                .contains("# Speed on Redis, beside another build of Belay", "bench/run --against DIRECTORY\n")
                .contains("| other build | 0123abc (Begins) |", "- **belay-other**: As `belay`, in the other build.")
                .contains("| belay / belay-other | this build | the other | ratio of the medians |")
                .contains("| per second | 1,000 | 1,000 | 1.000 | 0.900 | 1.100 | 20.0 % |")
                .contains("**free-1, belay, per second: not behind ")
                .contains("| belay / lettuce | 2 |")
                .doesNotContain("belay-async / belay-other", "belay-other / lettuce");
    }
}
