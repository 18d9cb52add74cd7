package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.util.ArrayList;
import java.util.List;

/**
 * Tokens rise from holder to holder. Only grants that were still held when they were read count: of two such holds that
 * exclude each other, the one that was read later was also granted later.
 */
public final class Tokens implements Check {
    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        history.holds().values().forEach(holds -> check(holds, violations));
        return violations;
    }

    private static void check(List<Hold> holds, List<Violation> violations) {
        long highest = -1;
        long highestExclusive = -1;
        for (Hold hold : holds) {
            if (hold.token() < 0 || !hold.wasHeld()) {
                continue;
            }
            // A writer that goes on as a reader keeps its token.
            long before = hold.isExclusive() ? highest : highestExclusive - 1;
            if (hold.token() <= before) {
                violations.add(new Violation(
                        Rule.TOKENS, hold.name(), hold.granted(), hold.end(), hold + " after token " + before));
            }
            highest = Math.max(highest, hold.token());
            if (hold.isExclusive()) {
                highestExclusive = Math.max(highestExclusive, hold.token());
            }
        }
    }
}
