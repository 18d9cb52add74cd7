package io.belay.trials.report;

import io.belay.trials.check.Violation;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The verdict as lines for a reader. */
public final class Words {
    private static final int SHOWN = 5;
    private static final double NANOS_PER_SECOND = 1e9;

    private Words() {}

    /** Tells the figures and the first broken promises of each kind. */
    public static List<String> of(Figures figures, History history, List<Violation> violations, List<String> troubles) {
        List<String> lines = new ArrayList<>();
        lines.add(figures.operations() + " operations, " + figures.grants() + " grants; longest hand-over "
                + figures.longestHandOverMillis() + " ms, longest delay of a waiter " + figures.longestDelayMillis()
                + " ms; unguarded writes lost: " + figures.unguardedLost()
                + (figures.kept() == 0 ? "" : "; kept after their release: " + figures.kept())
                + (figures.moved() == 0 ? "" : "; ends moved: " + figures.moved())
                + (figures.overlaps() == 0 ? "" : "; holds that overlapped: " + figures.overlaps()));
        Map<Violation.Rule, List<Violation>> kinds = new EnumMap<>(Violation.Rule.class);
        violations.forEach(one ->
                kinds.computeIfAbsent(one.rule(), rule -> new ArrayList<>()).add(one));
        kinds.forEach((rule, all) -> {
            long from = all.get(0).from();
            // A promise may be broken before anybody has asked.
            long asked = history.events(Type.ASK).stream()
                    .findFirst()
                    .map(Event::nanos)
                    .orElse(from);
            double after = (from - asked) / NANOS_PER_SECOND;
            lines.add(all.size() + " x " + rule.words()
                    + String.format(Locale.ROOT, ", the first after %.1f s, such as", after));
            all.stream().limit(SHOWN).forEach(one -> lines.add("    " + one.name() + ": " + one.text()));
        });
        lines.addAll(troubles);
        lines.add("verdict: " + figures.verdict().word());
        return lines;
    }
}
