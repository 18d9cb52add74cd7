package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A check of a trial in which nothing went wrong: no release tells of a loss before the end of the lease, or at once that nobody
 * knows what came of it. Of those that took longer {@link Unanswered} judges.
 */
public final class Releases implements Check {
    private static final long AT_ONCE_NANOS = 1_000_000_000;

    @Override
    public List<Violation> of(History history) {
        Map<String, Long> until = new HashMap<>();
        Map<String, Event> begun = new HashMap<>();
        List<Violation> violations = new ArrayList<>();
        for (Event event : history.events()) {
            String hold = event.process() + "/" + event.hold();
            switch (event.type()) {
                case GRANTED, MOVED -> until.put(hold, event.value());
                case HELD -> until.merge(hold, event.value(), Math::max);
                case RELEASE -> begun.put(hold, event);
                case RELEASED_LATE -> {
                    Event release = begun.getOrDefault(hold, event);
                    long end = until.getOrDefault(hold, 0L);
                    if (release.nanos() < end && end != Long.MAX_VALUE) { // else no end is known
                        violations.add(violation(release, event));
                    }
                }
                case RELEASE_UNKNOWN -> {
                    Event release = begun.getOrDefault(hold, event);
                    if (event.nanos() - release.nanos() < AT_ONCE_NANOS) {
                        violations.add(violation(release, event));
                    }
                }
                default -> {}
            }
        }
        return violations;
    }

    private static Violation violation(Event release, Event event) {
        String who = "process " + event.process() + " thread " + event.thread();
        return new Violation(
                Rule.RELEASE_WRONG, event.name(), release.nanos(), event.nanos(), who + ": " + event.type());
    }
}
