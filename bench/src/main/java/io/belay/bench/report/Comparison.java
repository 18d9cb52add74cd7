package io.belay.bench.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * A comparison of this build with another one, in a case and a setting in which both had their rounds in turn.
 *
 * @param ours what this build did
 * @param other what the other one did
 */
public record Comparison(Result ours, Result other) {
    /** The part of one up to which being behind is not worth a look. */
    private static final double LITTLE = 0.03;

    /** The least rounds that tell: of two equal builds one is behind in each of so many once in 32 runs. */
    private static final int ENOUGH = 5;

    /** Returns the metrics that can be compared, in the order of the report. */
    List<Metric> metrics() {
        return Stream.of(Metric.values())
                .filter(metric -> rounds(metric).exists())
                .toList();
    }

    /** Returns this build's median in parts of the other's. */
    double ratio(Metric metric) {
        return ours.spread(metric).median() / other.spread(metric).median();
    }

    /** Returns the spread of the rounds' ratios. */
    Spread rounds(Metric metric) {
        return Spread.of(ours.ratios(other, metric));
    }

    /** Returns how far apart the ratios of the rounds are, in parts of the one in their middle. */
    double width(Metric metric) {
        Spread rounds = rounds(metric);
        return (rounds.max() - rounds.min()) / rounds.median();
    }

    /** Returns a line that tells whether this build is behind, and what that is worth. */
    public String verdict() {
        String what = ours.task().name() + ", " + ours.library().name();
        return Metric.telling(metrics())
                .map(metric -> what + ", " + metric.heading() + ": " + verdict(metric))
                .orElseGet(() -> what + ": not compared" + why(ours) + why(other));
    }

    private static String why(Result result) {
        return result.note().isEmpty() ? "" : "; " + result.library().name() + " " + result.note();
    }

    private String verdict(Metric metric) {
        double behind = metric.behind(ratio(metric));
        List<Double> rounds = ours.ratios(other, metric).stream()
                .filter(ratio -> !ratio.isNaN())
                .map(metric::behind)
                .toList();
        double worst = Spread.of(rounds).max();
        return Format.of(
                "%s (%s in the medians%s; behind in %d of %d rounds%s, spread %s)",
                judge(behind, width(metric)),
                behind > 0 ? percent(behind) : "ahead by " + percent(Math.abs(behind)),
                worst > 0 ? ", behind by no more than " + percent(worst) + " in any round" : "",
                rounds.stream().filter(round -> round > 0).count(),
                rounds.size(),
                rounds.size() < ENOUGH ? ", which are too few to tell" : "",
                percent(width(metric)));
    }

    private static String judge(double behind, double width) {
        String little = Format.of("%.0f %%", LITTLE * 100);
        if (behind <= 0) {
            return "not behind";
        } else if (behind <= LITTLE) {
            return "behind by no more than " + little;
        }
        return "behind by more than " + little
                + (behind <= width
                        ? ", but no more than the spread of the rounds"
                        : " and than the spread of the rounds");
    }

    /** Returns a part of one as percent, for people to read. */
    static String percent(double part) {
        return Format.of("%.1f %%", part * 100);
    }
}
