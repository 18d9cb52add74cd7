package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A check of counters that one client at a time raises: no two acknowledged writes of one counter have the same
 * value, or one of them was written over.
 */
public final class LostWrites implements Check {
    /** Finds unguarded writes that were lost, which breaks a promise only in a trial in which nothing went wrong. */
    @Override
    public List<Violation> of(History history) {
        return find(history, Type.WRITTEN, Rule.UNGUARDED_LOST);
    }

    static List<Violation> find(History history, Type written, Rule rule) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Event> first = new HashMap<>();
        for (Event event : history.events(written)) {
            Event other = first.putIfAbsent(event.name() + "=" + event.value(), event);
            if (other != null) {
                violations.add(new Violation(
                        rule,
                        event.name(),
                        other.nanos(),
                        event.nanos(),
                        "value " + event.value() + " was written by process " + other.process() + " token "
                                + other.token() + " and by process " + event.process() + " token " + event.token()));
            }
        }
        return violations;
    }
}
