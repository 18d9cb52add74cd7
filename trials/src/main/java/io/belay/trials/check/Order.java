package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A check that a waiter that has its place in the queue before another one asks is served before that one. Its
 * place is known once the store has listed it; of two that ask at a time the check says nothing. It does not judge
 * a waiter that gave up, as it is not known when, nor one that stood still or was struck together with the store,
 * as that may have lost its place.
 */
public final class Order implements Check {
    private final Duration lease;

    /** Creates a check of locks with this lease. */
    public Order(Duration lease) {
        this.lease = lease;
    }

    /** A wait in its place, until the waiter is served or dies. */
    private record Wait(String process, long hold, long queued, long ended) {}

    /** A change of a queue; at one instant the lowest rank is first. */
    private record Step(long nanos, int rank, Runnable action) {
        static final int END = 0;
        static final int SERVE = 1;
        static final int QUEUE = 2;
    }

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        waits(history)
                .forEach((name, waits) -> check(waits, history.holds().getOrDefault(name, List.of()), violations));
        return violations;
    }

    private Map<String, List<Wait>> waits(History history) {
        Map<String, Hold> served = new HashMap<>();
        history.holds()
                .values()
                .forEach(holds -> holds.forEach(hold -> served.put(key(hold.process(), hold.id()), hold)));
        Map<String, Long> deaths = new HashMap<>();
        history.events(Type.KILL).forEach(kill -> deaths.put(kill.process(), kill.nanos()));
        Set<String> gaveUp = new HashSet<>();
        history.events(Type.UNKNOWN, Type.REFUSED).forEach(end -> gaveUp.add(key(end.process(), end.hold())));
        Map<String, Long> asked = new HashMap<>();
        history.events(Type.ASK).forEach(ask -> asked.put(key(ask.process(), ask.hold()), ask.nanos()));
        Standstills standstills = new Standstills(history, lease);
        Map<String, List<Wait>> waits = new HashMap<>();
        for (Event event : history.events(Type.QUEUED)) {
            String key = key(event.process(), event.hold());
            Hold hold = served.get(key);
            long ended = hold != null ? hold.granted() : deaths.getOrDefault(event.process(), Hold.NEVER);
            boolean readTooLate = hold != null && !hold.wasHeld();
            // That it was listed may be read long after it was.
            long since = asked.getOrDefault(key, event.nanos());
            if (!gaveUp.contains(key) && !readTooLate && !standstills.touch(event.process(), since, ended)) {
                waits.computeIfAbsent(event.name(), name -> new ArrayList<>())
                        .add(new Wait(event.process(), event.hold(), event.nanos(), ended));
            }
        }
        return waits;
    }

    private static void check(List<Wait> waits, List<Hold> holds, List<Violation> violations) {
        TreeSet<Wait> queue = new TreeSet<>(Comparator.comparingLong(Wait::queued)
                .thenComparing(Wait::process)
                .thenComparingLong(Wait::hold));
        List<Step> steps = new ArrayList<>();
        for (Wait wait : waits) {
            steps.add(new Step(wait.queued(), Step.QUEUE, () -> queue.add(wait)));
            steps.add(new Step(wait.ended(), Step.END, () -> queue.remove(wait)));
        }
        for (Hold hold : holds) {
            steps.add(new Step(hold.granted(), Step.SERVE, () -> {
                if (!queue.isEmpty() && queue.first().queued() < hold.asked()) {
                    violations.add(overtaking(hold, queue.first()));
                }
            }));
        }
        steps.sort(Comparator.comparingLong(Step::nanos).thenComparingInt(Step::rank));
        steps.forEach(step -> step.action().run());
    }

    private static Violation overtaking(Hold hold, Wait first) {
        long micros = (hold.asked() - first.queued()) / 1000;
        return new Violation(
                Rule.ORDER,
                hold.name(),
                hold.asked(),
                hold.granted(),
                hold + " asked " + micros + " us after process " + first.process() + " had its place, and was first");
    }

    private static String key(String process, long hold) {
        return process + "/" + hold;
    }
}
