package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/** A check that no more of a lock is held at any moment than there is of it. */
public final class Exclusion implements Check {
    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        history.holds().values().forEach(holds -> check(holds, violations));
        return violations;
    }

    private static void check(List<Hold> holds, List<Violation> violations) {
        PriorityQueue<Hold> current = new PriorityQueue<>(Comparator.comparingLong(Hold::end));
        long weight = 0;
        for (Hold hold : holds) {
            if (!hold.wasHeld()) {
                continue;
            }
            while (!current.isEmpty() && current.peek().end() <= hold.granted()) {
                weight -= current.remove().weight();
            }
            weight += hold.weight();
            if (weight > hold.capacity()) {
                violations.add(new Violation(
                        Rule.EXCLUSION,
                        hold.name(),
                        hold.granted(),
                        Math.min(
                                hold.end(),
                                current.stream().mapToLong(Hold::end).max().orElse(hold.end())),
                        hold + " beside " + current.stream().map(Hold::toString).collect(Collectors.joining(", "))));
            }
            current.add(hold);
        }
    }
}
