package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Drift;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A check that nobody has a lock before the time is over for which it was kept at its release, whatever becomes of
 * the process that gave it back. The time counts from before the release, less what two clocks may differ by in it.
 */
public final class Kept implements Check {
    /** The time in which nobody may have a lock, as a process was told. */
    private record Span(String process, long from, long to) {}

    @Override
    public List<Violation> of(History history) {
        Map<String, Queue<Span>> spans = spans(history);
        List<Violation> violations = new ArrayList<>();
        history.holds().forEach((name, holds) -> {
            Queue<Span> ofName = spans.get(name);
            if (ofName != null) {
                check(holds, ofName, violations);
            }
        });
        return violations;
    }

    /** Returns the spans of each lock, the earliest first. */
    private static Map<String, Queue<Span>> spans(History history) {
        Map<String, Queue<Span>> spans = new HashMap<>();
        Map<String, Long> released = new HashMap<>();
        for (Event event : history.events(Type.RELEASE, Type.KEPT)) {
            String hold = event.process() + "/" + event.hold();
            if (event.type() == Type.RELEASE) {
                released.put(hold, event.nanos());
            } else {
                long from = released.getOrDefault(hold, event.nanos());
                long to = from + Drift.without(event.value() - from);
                spans.computeIfAbsent(event.name(), name -> new PriorityQueue<>(Comparator.comparingLong(Span::from)))
                        .add(new Span(event.process(), from, to));
            }
        }
        return spans;
    }

    private static void check(List<Hold> holds, Queue<Span> spans, List<Violation> violations) {
        Span longest = null;
        for (Hold hold : holds) {
            while (!spans.isEmpty() && spans.peek().from() < hold.granted()) {
                longest = longer(longest, spans.remove());
            }
            if (longest != null && hold.wasHeld() && hold.granted() < longest.to()) {
                long early = Duration.ofNanos(longest.to() - hold.granted()).toMillis();
                violations.add(new Violation(
                        Rule.KEPT,
                        hold.name(),
                        hold.granted(),
                        longest.to(),
                        hold + " had it " + early + " ms too early: process " + longest.process()
                                + " had given it back for later"));
            }
        }
    }

    private static Span longer(@Nullable Span one, Span other) {
        return one == null || one.to() < other.to() ? other : one;
    }
}
