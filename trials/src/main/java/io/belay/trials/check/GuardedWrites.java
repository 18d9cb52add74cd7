package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A check that no accepted write has a lower token than any accepted before it began, and no write is lost. */
public final class GuardedWrites implements Check {
    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>(LostWrites.find(history, Type.GUARDED_WRITTEN, Rule.GUARDED_LOST));
        Map<String, Long> highest = new HashMap<>();
        // The highest token that had been accepted when a hold began its write.
        Map<String, Long> before = new HashMap<>();
        for (Event event : history.events(Type.GUARDED_WRITE, Type.GUARDED_WRITTEN)) {
            String hold = event.process() + "/" + event.hold();
            if (event.type() == Type.GUARDED_WRITE) {
                before.put(hold, highest.getOrDefault(event.name(), -1L));
                continue;
            }
            long earlier = before.getOrDefault(hold, -1L);
            if (event.token() < earlier) {
                violations.add(new Violation(
                        Rule.STALE_WRITE,
                        event.name(),
                        event.nanos(),
                        event.nanos(),
                        "process " + event.process() + " wrote with token " + event.token() + " after token "
                                + earlier));
            }
            highest.merge(event.name(), event.token(), Math::max);
        }
        return violations;
    }
}
