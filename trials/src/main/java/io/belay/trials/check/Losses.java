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
 * A check that nothing says "held" after "lost", nor after "not held" once the lease was over, that a lease whose end a release found
 * was also told as lost, and one that its process found to be over soon after its end, whether or not the store could be reached.
 */
public final class Losses implements Check {
    /** The time that a process must have gone on before the check counts that it did not tell, in nanoseconds. */
    private static final long GRACE_NANOS = 1_000_000_000;

    /** The time within which a loss is told to a process that has found the lease to be over, without what that stood still. */
    private static final long LATEST_NANOS = 500_000_000;

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Long> lost = new HashMap<>();
        Map<String, Long> until = new HashMap<>();
        Map<String, Long> released = new HashMap<>();
        Map<String, Event> late = new HashMap<>();
        Map<String, Event> over = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (Event event : history.events()) {
            String hold = event.process() + "/" + event.hold();
            switch (event.type()) {
                case LOST -> lost.put(hold, event.nanos());
                case GRANTED, MOVED -> until.put(hold, event.value());
                case RELEASE -> released.put(hold, event.nanos());
                case RELEASED_LATE -> late.put(hold, event);
                case RELEASED -> {
                    // Where its machine's clock was moved it may have been unsure, and held all the while.
                    Event denied = over.get(hold);
                    if (denied != null && released.getOrDefault(hold, event.nanos()) - denied.nanos() <= LATEST_NANOS) {
                        over.remove(hold);
                    }
                }
                case NOT_HELD -> {
                    // Before its end it may be unsure.
                    if (until.getOrDefault(hold, Long.MAX_VALUE) <= event.nanos() && !released.containsKey(hold)) {
                        over.putIfAbsent(hold, event);
                    }
                }
                case HELD -> {
                    until.merge(hold, event.value(), Math::max);
                    Event denied = over.get(hold);
                    Long since = denied == null ? lost.get(hold) : Long.valueOf(denied.nanos());
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
            boolean ran = until.getOrDefault(hold, 0L) < released.getOrDefault(hold, 0L);
            if (ran && !lost.containsKey(hold) && last - event.nanos() > GRACE_NANOS) {
                over.remove(hold);
                violations.add(violation(Rule.LOSS_UNTOLD, event, event.nanos()));
            }
        });
        over.forEach((hold, event) -> {
            Long lostAt = lost.get(hold);
            long told = lostAt != null ? lostAt : ended.getOrDefault(event.process(), event.nanos());
            long took = told - event.nanos() - stalled(history, event.process(), event.nanos(), told);
            if (took > (lostAt != null ? LATEST_NANOS : GRACE_NANOS)) {
                violations.add(violation(Rule.LOSS_UNTOLD, event, event.nanos()));
            }
        });
        return violations;
    }

    /** Returns for how long a process stood still between two instants. */
    private static long stalled(History history, String process, long from, long to) {
        return history.events(Type.STALL).stream()
                .filter(stall -> stall.process().equals(process))
                .mapToLong(stall -> Math.max(0, Math.min(stall.nanos(), to) - Math.max(stall.value(), from)))
                .sum();
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
