package io.belay.bench;

import io.belay.bench.lead.Round;
import io.belay.bench.report.Format;
import io.belay.bench.report.Metric;
import java.util.StringJoiner;

/** The line that tells of a round, while the run goes on. */
final class Progress {
    private Progress() {}

    static String line(Round round) {
        StringJoiner line = new StringJoiner(", ").setEmptyValue("nothing in all that time");
        for (Metric metric : Metric.values()) {
            double value = metric.of(round);
            if (!Double.isNaN(value)) {
                line.add(metric.heading() + " " + Format.figure(value));
            }
        }
        round.figures().forEach((name, value) -> line.add(name + " " + Format.figure(value)));
        return line + (round.violations() == 0 ? "" : ", EXCLUSION WAS BROKEN " + round.violations() + " TIMES");
    }
}
