package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A check that nothing says "held" after "lost", and that a lease whose end a release found was also told as lost. */
public final class Losses implements Check {
    /** The time that a process must have gone on before the check counts that it did not tell, in nanoseconds. */
    private static final long GRACE_NANOS = 1_000_000_000;

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Long> lost = new HashMap<>();
        Map<String, Long> until = new HashMap<>();
        Map<String, Long> released = new HashMap<>();
        Map<String, Event> late = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (Event event : history.events()) {
            String hold = event.process() + "/" + event.hold();
            switch (event.type()) {
                case LOST -> lost.put(hold, event.nanos());
                case GRANTED, MOVED -> until.put(hold, event.value());
                case RELEASE -> released.put(hold, event.nanos());
                case RELEASED_LATE -> late.put(hold, event);
                case HELD -> {
                    until.merge(hold, event.value(), Math::max);
                    Long since = lost.get(hold);
                    if (since != null) {
                        violations.add(violation(Rule.HELD_AFTER_LOST, event, since));
                    }
                }
                default -> {}
            }
            if (event.hold() > 0) {
                ended.put(event.process(), event.nanos());
            }
        }
        late.forEach((hold, event) -> {
            long last = ended.getOrDefault(event.process(), event.nanos());
            // One that was taken away by force just before is told by the release itself.
            boolean over = until.getOrDefault(hold, 0L) < released.getOrDefault(hold, 0L);
            if (over && !lost.containsKey(hold) && last - event.nanos() > GRACE_NANOS) {
                violations.add(violation(Rule.LOSS_UNTOLD, event, event.nanos()));
            }
        });
        return violations;
    }

    private static Violation violation(Rule rule, Event event, long since) {
        return new Violation(
                rule,
                event.name(),
                since,
                event.nanos(),
                "process " + event.process() + " thread " + event.thread() + " token " + event.token());
    }
}
