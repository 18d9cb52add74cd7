package io.belay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.lead.Round;
import io.belay.bench.library.Libraries;
import io.belay.bench.store.Store;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {
    private static final double NONE = Double.NaN;
    private static final Case HOT = Cases.find("hot-4x4").orElseThrow();
    private static final Case RENEWALS = Cases.find("renewals").orElseThrow();

    private final Outcome outcome = new Outcome(
            Store.REDIS,
            Map.of("cores", 2),
            3,
            1,
            List.of(
                    result(HOT, "belay", round(900), round(1_000), round(1_300)),
                    result(HOT, "redisson", round(10), round(20), round(10)),
                    new Result(
                            HOT,
                            Libraries.get(Store.REDIS, "spring-redis-pubsub"),
                            List.of(),
                            "failed: it ended by itself"),
                    result(
                            RENEWALS,
                            "belay",
                            new Round(NONE, NONE, NONE, NONE, 2.5, 0, Map.of("leasesLost", 0.0, "serverKeys", 7.0)))));

    private static Result result(Case task, String library, Round... rounds) {
        return new Result(task, Libraries.get(Store.REDIS, library), List.of(rounds), "");
    }

    private static Round round(double perSecond) {
        return new Round(perSecond, 5, 99.5, 0.9, 1.25, 0, Map.of());
    }

    @Test
    void theMedianIsInTheMiddle() {
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, NONE, 2.0, 3.0))).isEqualTo(new Spread(2.5, 1, 4));
        assertThat(Spread.of(List.of(NONE)).exists()).isFalse();
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        Result belay = outcome.results().get(0);
        Result redisson = outcome.results().get(1);
        assertThat(belay.ratios(redisson, Metric.OPS)).containsExactly(90.0, 50.0, 130.0);
        assertThat(belay.ratios(redisson, Metric.P99)).containsExactly(1.0, 1.0, 1.0);
        assertThat(result(HOT, "belay", round(1)).ratios(result(HOT, "redisson", round(0)), Metric.OPS))
                .containsExactly(NONE);
    }

    @Test
    void figuresAreReadable() {
        assertThat(Format.figure(NONE)).isEqualTo("-");
        assertThat(Format.figure(0.256)).isEqualTo("0.26");
        assertThat(Format.figure(0.00031)).isEqualTo("0.0003");
        assertThat(Format.figure(12.34)).isEqualTo("12.3");
        assertThat(Format.figure(1_234_567.8)).isEqualTo("1,234,568");
        assertThat(Format.brief(92_345)).isEqualTo("92.3k");
        assertThat(Format.brief(63_000_000)).isEqualTo("63M");
        assertThat(Format.spread(new Spread(2, 1, 3))).isEqualTo("2 (1 - 3)");
        assertThat(Format.spread(new Spread(2, 2, 2))).isEqualTo("2");
    }

    @Test
    void jsonLeavesOutWhatHasNoMeaning() {
        JsonNode json = JsonMapper.shared().readTree(JsonReport.of(outcome));
        assertThat(json.propertyNames()).containsExactly("store", "machine", "rounds", "seconds", "results");
        assertThat(json.path("store").asString()).isEqualTo("redis");
        assertThat(json.path("machine").path("cores").asInt()).isEqualTo(2);
        assertThat(json.path("rounds").asInt()).isEqualTo(3);
        JsonNode hot = json.path("results").path(0);
        assertThat(hot.propertyNames())
                .containsExactly(
                        "case",
                        "library",
                        "store",
                        "opsPerSecond",
                        "p50Micros",
                        "p99Micros",
                        "leastShare",
                        "clientCpuSeconds",
                        "rounds");
        assertThat(hot.path("case").asString()).isEqualTo("hot-4x4");
        assertThat(hot.path("opsPerSecond").asDouble()).isEqualTo(1_000);
        assertThat(hot.path("rounds").size()).isEqualTo(3);
        assertThat(hot.path("rounds").path(2).path("opsPerSecond").asDouble()).isEqualTo(1_300);
        assertThat(json.path("results").path(2).path("note").asString()).isEqualTo("failed: it ended by itself");
        JsonNode renewals = json.path("results").path(3);
        assertThat(renewals.propertyNames())
                .containsExactly("case", "library", "store", "clientCpuSeconds", "leasesLost", "serverKeys", "rounds");
    }

    @Test
    void thePageHasATableAndAChartForEachCase(@TempDir Path directory) throws Exception {
        Path stale = Files.createDirectories(directory.resolve("benchmarks")).resolve("gone.svg");
        Files.writeString(stale, "");
        String page = Files.readString(Pages.write(outcome, directory));
        assertThat(page)
                .contains("## hot-4x4", "![hot-4x4](benchmarks/hot-4x4.svg)", "| belay | 1,000 (900 - 1,300) |")
                .contains("| belay / redisson | 90 | 1 | 1 | 90, 50, 130 |")
                .contains("spring-redis-pubsub: failed: it ended by itself.")
                .contains("| library | client CPU s | leases lost | server keys |\n")
                .contains(Libraries.get(Store.REDIS, "redisson").settings());
        assertThat(stale).doesNotExist();
        assertThat(directory.resolve("benchmarks")).isDirectoryContaining("glob:**/hot-4x4.svg");
        assertThat(directory.resolve("benchmarks")).isDirectoryContaining("glob:**/renewals.svg");
    }

    @Test
    void eachStoreHasAPageOfItsOwn(@TempDir Path directory) throws Exception {
        Path page = Pages.write(new Outcome(Store.ETCD, Map.of("etcd", "3.5.1"), 3, 1, outcome.results()), directory);
        assertThat(page).isEqualTo(directory.resolve("benchmarks-etcd.md"));
        assertThat(page)
                .content()
                .contains("# Speed on etcd", "bench/run --store etcd", "(benchmarks-etcd/hot-4x4.svg)");
        assertThat(directory.resolve("benchmarks-etcd")).isDirectoryContaining("glob:**/hot-4x4.svg");
        assertThat(directory.resolve("benchmarks")).doesNotExist();
    }

    @Test
    void chartsAreWellFormedAndToScale() throws Exception {
        String svg = Chart.draw(
                "a < b & \"c\"",
                List.of(
                        new Chart.Bar("belay", new Spread(100, 50, 200), true),
                        new Chart.Bar("<peer>", new Spread(50, 50, 50), false)));
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getDocumentElement();
        assertThat(root.getAttribute("aria-label")).isEqualTo("a < b & \"c\"");
        assertThat(root.getElementsByTagName("rect").getLength()).isEqualTo(2);
        assertThat(root.getElementsByTagName("line").getLength()).isEqualTo(1);
        assertThat(width(root, 0)).isEqualTo(2 * width(root, 1));
        assertThat(svg).contains("prefers-color-scheme: dark");
    }

    private static double width(Element root, int bar) {
        return Double.parseDouble(((Element) root.getElementsByTagName("rect").item(bar)).getAttribute("width"));
    }
}
