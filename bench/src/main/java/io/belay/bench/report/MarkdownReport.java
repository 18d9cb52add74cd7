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

/** A run as a page: where and how, then each case with its chart and its tables. */
public final class MarkdownReport {
    private static final List<Metric> COMPARED = List.of(Metric.OPS, Metric.P50, Metric.P99);

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
        String option = outcome.store() == Store.REDIS ? "" : " --store " + outcome.store();
        page.append(Format.of(
                """
                # Speed on %s, beside the peers

                ```
                bench/run%s
                ```

                measures all of this again and writes this page. `bench/run%s free-1 hot-4x4` runs some of the cases,
                `--store STORE` (`etcd`, `zookeeper`, `postgresql`, `mariadb`) measures on another one, beside its own peers,
                and writes a page of its own, `--rounds`, `--seconds` and `--library` change how, `--json FILE` writes every round of it as JSON,
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
                round trips to every figure that has any. Every case but `handoff`, `reentrant`, `renewals` and `names`
                checks all the while that nobody is inside who must not be.

                """,
                outcome.store().proper(),
                option,
                option,
                outcome.rounds(),
                Format.figure(outcome.seconds()),
                String.join(" ", Team.jvmOptions())));
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
                if (ours.library().ours() && !peer.library().ours()) {
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

    /** The chart of a case: the first of speed, time and processor time that it has. */
    static String chart(Case task, List<Result> results) {
        Metric metric = List.of(Metric.OPS, Metric.P50, Metric.CPU).stream()
                .filter(one ->
                        results.stream().anyMatch(result -> result.spread(one).exists()))
                .findFirst()
                .orElse(Metric.OPS);
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

    /** "leasesLost" as "leases lost". */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }
}
