package io.belay.bench.report;

import io.belay.bench.cases.Case;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.store.Store;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a run.
 *
 * @param store the store that the run was on
 * @param machine the machine that the run was on
 * @param rounds how many rounds were asked for
 * @param seconds how long each round measured
 * @param results what each library did in each case, case by case
 */
public record Outcome(Store store, Map<String, Object> machine, int rounds, double seconds, List<Result> results) {
    /** Returns the cases that were run, in their order. */
    public List<Case> cases() {
        return results.stream().map(Result::task).distinct().toList();
    }

    /** Returns the results of a case. */
    public List<Result> of(Case task) {
        return results.stream().filter(result -> result.task().equals(task)).toList();
    }

    /** Returns this build's comparisons with another, if one took part: for each setting of a case that both ran. */
    public List<Comparison> comparisons(Case task) {
        List<Result> results = of(task);
        return results.stream()
                .flatMap(ours -> results.stream()
                        .filter(other -> other.library() instanceof OtherBuildLibrary library
                                && library.own().equals(ours.library()))
                        .map(other -> new Comparison(ours, other)))
                .toList();
    }

    /** Returns the same for all cases. */
    public List<Comparison> comparisons() {
        return cases().stream().flatMap(task -> comparisons(task).stream()).toList();
    }

    public long violations() {
        return results.stream().mapToLong(Result::violations).sum();
    }

    /** Returns whether a library failed that was not merely skipped. */
    public boolean failed() {
        return results.stream().anyMatch(result -> result.note().startsWith("failed"));
    }
}
