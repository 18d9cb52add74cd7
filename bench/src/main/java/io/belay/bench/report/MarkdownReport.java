package io.belay.bench.report;

import io.belay.bench.cases.Case;
import io.belay.bench.lead.Team;
import io.belay.bench.library.Library;
import io.belay.bench.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of a run as a page: where and how, then each case with its chart and its tables. */
public final class MarkdownReport {
    private static final List<Metric> COMPARED = List.of(Metric.OPS, Metric.P50, Metric.P99);

    private static final String AGAINST = """
            *belay-other* is *belay* with the jars of the other build, and so for each setting. What is said of the two in a
            case: the ratio of their medians, the least and the greatest ratio of a round, and the spread, which is how far
            apart these two are, in parts of the one in the middle; then whether this build is behind, by more than 3 %, and by
            more than that spread. What is less than the spread may be chance. Of two equal builds one is behind in each of
            five rounds once in 32 runs; more rounds tell more than longer ones do.

            """;

    private final Outcome outcome;
    private final StringBuilder page = new StringBuilder();

    private MarkdownReport(Outcome outcome) {
        this.outcome = outcome;
    }

    public static String of(Outcome outcome) {
        return new MarkdownReport(outcome).write();
    }

    private String write() {
        head();
        machine();
        settings();
        outcome.cases().forEach(this::section);
        return page.toString().stripTrailing() + "\n";
    }

    private void head() {
        boolean against = !outcome.comparisons().isEmpty();
        String option = (outcome.store() == Store.REDIS ? "" : " --store " + outcome.store())
                + (against ? " --against DIRECTORY" : "");
        page.append(Format.of(
                """
                # Speed on %s, beside %s

                ```
                bench/run%s
                ```

                measures all of this again and writes this page. `bench/run%s %s` runs some of the cases,
                `--store STORE` (`etcd`, `zookeeper`, `postgresql`, `mariadb`) measures on another one, beside its own peers, or by the client alone (`memory`),
                and writes a page of its own, `--against DIRECTORY` measures Belay beside another build of it instead, such as the commit before,
                `--rounds`, `--seconds` and `--library` change how, `--json FILE` writes every round of it as JSON,
                and `bench/run --help` tells the rest. Only what was measured in one run can be compared: the same case
                on the same machine may give half or double an hour later.

                In this run the libraries of a case took turns, %d rounds of %s s each (A B C, A B C ...). Every library has
                JVMs of its own (`%s`), which stay over all rounds so that the compiler's work stays too; while one
                library has its round the others do nothing. Before its first round each works until its compilers rest, for 3 to
                20 s. A figure is the median of the rounds, with the least and
                the greatest in brackets; a ratio is taken round by round, and then the median of these. p50 and p99 are
                the times of single operations over all threads of all processes. *Least share* is what the process with
                the fewest operations had, in parts of the mean: 1 is perfectly fair. *Client CPU* is the processor time
                of all processes of a library in one round. All on the loopback interface, so that a network would add its
                round trips to every figure that has any. Every case but `handoff`, `reentrant`, `renewals`, `names`, `sticky`
                and `sticky-move` checks all the while that nobody is inside who must not be.

                """,
                outcome.store().proper(),
                against ? "another build of Belay" : "the peers",
                option,
                option,
                outcome.cases().stream().limit(2).map(Case::name).collect(Collectors.joining(" ")),
                outcome.rounds(),
                Format.figure(outcome.seconds()),
                String.join(" ", Team.jvmOptions())));
        if (against) {
            page.append(AGAINST);
        }
    }

    private void machine() {
        page.append("## Machine and versions\n\n");
        Table table = new Table(List.of("what", "which"));
        outcome.machine().forEach((name, value) -> table.row(List.of(words(name), String.valueOf(value))));
        page.append(table);
    }

    private void settings() {
        page.append("## How each is set up\n\n");
        page.append(Format.of(
                "- **%s**, the server: %s\n", outcome.store(), outcome.store().settings()));
        outcome.results().stream()
                .map(Result::library)
                .distinct()
                .forEach(library -> page.append(Format.of("- **%s**: %s\n", library.name(), library.settings())));
        page.append('\n');
    }

    private void section(Case task) {
        List<Result> results = outcome.of(task);
        List<Result> measured =
                results.stream().filter(result -> !result.rounds().isEmpty()).toList();
        page.append(Format.of("## %s\n\n%s.", task.name(), capital(task.description())));
        if (!task.timed().isEmpty()) {
            page.append(Format.of(" Timed: %s.", task.timed()));
        }
        page.append("\n\n");
        for (Result result : results) {
            if (!result.note().isEmpty()) {
                page.append(Format.of("%s: %s.\n\n", result.library().name(), result.note()));
            }
        }
        if (!measured.isEmpty()) {
            page.append(Format.of("![%s](%s/%s.svg)\n\n", task.name(), Pages.name(outcome.store()), task.name()));
            page.append(figures(measured));
            ratios(measured);
        }
        outcome.comparisons(task).forEach(this::comparison);
    }

    private static Table figures(List<Result> results) {
        List<Metric> metrics = Arrays.stream(Metric.values())
                .filter(metric -> results.stream()
                        .anyMatch(result -> result.spread(metric).exists()))
                .toList();
        TreeSet<String> more = new TreeSet<>();
        results.forEach(result -> more.addAll(result.figures().keySet()));
        List<String> headings = new ArrayList<>(List.of("library"));
        metrics.forEach(metric -> headings.add(metric.heading()));
        more.forEach(name -> headings.add(words(name)));
        Table table = new Table(headings);
        for (Result result : results) {
            List<String> row = new ArrayList<>(List.of(result.library().name()));
            metrics.forEach(metric -> row.add(Format.spread(result.spread(metric))));
            Map<String, Double> figures = result.figures();
            more.forEach(name -> row.add(Format.figure(figures.getOrDefault(name, Double.NaN))));
            table.row(row);
        }
        return table;
    }

    private void ratios(List<Result> results) {
        List<Metric> compared = COMPARED.stream()
                .filter(metric -> results.stream()
                        .anyMatch(result -> result.spread(metric).exists()))
                .toList();
        if (compared.isEmpty()) {
            return;
        }
        List<String> headings = new ArrayList<>(List.of("ratio"));
        compared.forEach(metric -> headings.add(metric.heading()));
        headings.add(compared.get(0).heading() + ", round by round");
        Table table = new Table(headings);
        for (Result ours : results) {
            for (Result peer : results) {
                if (ours.library().ours() && peer.library().isPeer()) {
                    table.row(ratio(ours, peer, compared));
                }
            }
        }
        if (!table.isEmpty()) {
            page.append(table);
        }
    }

    private static List<String> ratio(Result ours, Result peer, List<Metric> compared) {
        List<String> row = new ArrayList<>();
        row.add(ours.library().name() + " / " + peer.library().name());
        compared.forEach(metric ->
                row.add(Format.figure(Spread.of(ours.ratios(peer, metric)).median())));
        row.add(String.join(
                ", ",
                ours.ratios(peer, compared.get(0)).stream().map(Format::figure).toList()));
        return row;
    }

    private void comparison(Comparison pair) {
        Table table = new Table(List.of(
                pair.ours().library().name() + " / " + pair.other().library().name(),
                "this build",
                "the other",
                "ratio of the medians",
                "least of the rounds",
                "greatest",
                "spread"));
        for (Metric metric : pair.metrics()) {
            Spread rounds = pair.rounds(metric);
            table.row(List.of(
                    metric.heading(),
                    Format.figure(pair.ours().spread(metric).median()),
                    Format.figure(pair.other().spread(metric).median()),
                    Format.of("%.3f", pair.ratio(metric)),
                    Format.of("%.3f", rounds.min()),
                    Format.of("%.3f", rounds.max()),
                    Comparison.percent(pair.width(metric))));
        }
        if (!table.isEmpty()) {
            page.append(table);
        }
        page.append("**").append(pair.verdict()).append("**\n\n");
    }

    /** Draws the chart of a case, of the metric that tells most of it. */
    static String chart(Case task, List<Result> results) {
        List<Metric> known = Stream.of(Metric.values())
                .filter(one ->
                        results.stream().anyMatch(result -> result.spread(one).exists()))
                .toList();
        Metric metric = Metric.telling(known).orElse(Metric.OPS);
        List<Chart.Bar> bars = results.stream()
                .filter(result -> result.spread(metric).exists())
                .map(result -> bar(result.library(), result.spread(metric)))
                .toList();
        return Chart.draw(task.name() + ", " + metric.heading(), bars);
    }

    private static Chart.Bar bar(Library library, Spread spread) {
        return new Chart.Bar(library.name(), spread, library.ours());
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Returns the words of a name in camel case: "leases lost" for "leasesLost". */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }
}
