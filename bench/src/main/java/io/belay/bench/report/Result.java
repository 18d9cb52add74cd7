package io.belay.bench.report;

import io.belay.bench.cases.Case;
import io.belay.bench.lead.Round;
import io.belay.bench.library.Library;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one library in one case.
 *
 * @param task the case
 * @param library the library
 * @param rounds the library's rounds, in their order
 * @param note why the library has no rounds, or not all; empty if all is well
 */
public record Result(Case task, Library library, List<Round> rounds, String note) {
    /** Returns the spread of a metric over the rounds. */
    public Spread spread(Metric metric) {
        return Spread.of(rounds.stream().map(metric::of).toList());
    }

    /** Returns the figures that only this case counts: the median of each over the rounds. */
    public Map<String, Double> figures() {
        Map<String, Double> medians = new TreeMap<>();
        rounds.stream()
                .flatMap(round -> round.figures().keySet().stream())
                .distinct()
                .forEach(name -> medians.put(
                        name,
                        Spread.of(rounds.stream()
                                        .map(round -> round.figures().getOrDefault(name, Double.NaN))
                                        .toList())
                                .median()));
        return medians;
    }

    /** Returns this library's figures in parts of another's, round by round; both had their rounds in turn. */
    public List<Double> ratios(Result other, Metric metric) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
            double ratio = metric.of(rounds.get(i)) / metric.of(other.rounds.get(i));
            // A peer may have done nothing at all in a round.
            ratios.add(Double.isFinite(ratio) ? ratio : Double.NaN);
        }
        return ratios;
    }

    public long violations() {
        return rounds.stream().mapToLong(Round::violations).sum();
    }
}
