package io.belay.bench.report;

import io.belay.bench.cases.Case;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.store.Store;
import java.util.List;
import java.util.Map;

/**
 * All of a run.
 *
 * @param store on which store
 * @param machine where it took place
 * @param rounds how many rounds were asked for
 * @param seconds how long each measured
 * @param results what each library did in each case, case by case
 */
public record Outcome(Store store, Map<String, Object> machine, int rounds, double seconds, List<Result> results) {
    /** The cases that were run, in their order. */
    public List<Case> cases() {
        return results.stream().map(Result::task).distinct().toList();
    }

    /** What was done in a case. */
    public List<Result> of(Case task) {
        return results.stream().filter(result -> result.task().equals(task)).toList();
    }

    /** This build beside the other one, if another took part: in a case, each setting that both ran. */
    public List<Comparison> comparisons(Case task) {
        List<Result> results = of(task);
        return results.stream()
                .flatMap(ours -> results.stream()
                        .filter(other -> other.library() instanceof OtherBuildLibrary library
                                && library.own().equals(ours.library()))
                        .map(other -> new Comparison(ours, other)))
                .toList();
    }

    /** The same of all cases. */
    public List<Comparison> comparisons() {
        return cases().stream().flatMap(task -> comparisons(task).stream()).toList();
    }

    public long violations() {
        return results.stream().mapToLong(Result::violations).sum();
    }

    /** Whether something failed that was not merely skipped. */
    public boolean failed() {
        return results.stream().anyMatch(result -> result.note().startsWith("failed"));
    }
}
