package io.belay.trials.report;

import io.belay.trials.check.Violation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The verdict as lines for a reader. */
public final class Words {
    private static final int SHOWN = 5;

    private Words() {}

    /** Tells the figures and the first broken promises of each kind. */
    public static List<String> of(Figures figures, List<Violation> violations, List<String> troubles) {
        List<String> lines = new ArrayList<>();
        lines.add(figures.operations() + " operations, " + figures.grants() + " grants; longest hand-over "
                + figures.longestHandOverMillis() + " ms, longest delay of a waiter " + figures.longestDelayMillis()
                + " ms; unguarded writes lost: " + figures.unguardedLost()
                + (figures.kept() == 0 ? "" : "; kept after their release: " + figures.kept())
                + (figures.moved() == 0 ? "" : "; ends moved: " + figures.moved())
                + (figures.overlaps() == 0 ? "" : "; holds that overlapped: " + figures.overlaps()));
        Map<Violation.Rule, Integer> counts = new EnumMap<>(Violation.Rule.class);
        violations.forEach(one -> counts.merge(one.rule(), 1, Integer::sum));
        counts.forEach((rule, count) -> {
            lines.add(count + " x " + rule.words() + ", such as");
            violations.stream()
                    .filter(one -> one.rule() == rule)
                    .limit(SHOWN)
                    .forEach(one -> lines.add("    " + one.name() + ": " + one.text()));
        });
        lines.addAll(troubles);
        lines.add("verdict: " + figures.verdict().word());
        return lines;
    }
}
