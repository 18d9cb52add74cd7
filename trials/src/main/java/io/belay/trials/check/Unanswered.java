package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * A check that nobody to whom nothing was done is told, after a second or more, that it is not known what came of a request, while
 * the store answered others. It is for faults that let the store alone; but a busy disk, or machine, may keep that silent, too. So
 * what the machine took is taken off, and the store must not have been silent for half of the time.
 */
public final class Unanswered implements Check {
    private static final long LEAST_NANOS = 1_000_000_000;

    @Override
    public List<Violation> of(History history) {
        Waits waits = new Waits(history);
        NavigableSet<Long> answers = answers(history);
        Map<String, Long> begun = new HashMap<>();
        List<Violation> violations = new ArrayList<>();
        for (Event event : history.events(Type.ASK, Type.RELEASE, Type.UNKNOWN, Type.RELEASE_UNKNOWN)) {
            String hold = event.process() + "/" + event.hold();
            if (event.type() == Type.ASK || event.type() == Type.RELEASE) {
                begun.put(hold, event.nanos());
                continue;
            }
            long from = begun.getOrDefault(hold, event.nanos());
            long to = event.nanos();
            if (to - from - waits.stalled(from, to) >= LEAST_NANOS
                    && longestSilence(answers, from, to) <= (to - from) / 2
                    && !waits.isDisturbed(event.process(), from, to)) {
                violations.add(new Violation(
                        Rule.UNANSWERED,
                        event.name(),
                        from,
                        to,
                        "process " + event.process() + " thread " + event.thread() + " after "
                                + Duration.ofNanos(to - from).toMillis() + " ms: " + event.type()));
            }
        }
        return violations;
    }

    /** Returns when a lock went from one process to another, or was had for the first time: no client does that by itself. */
    private static NavigableSet<Long> answers(History history) {
        NavigableSet<Long> answers = new TreeSet<>();
        for (List<Hold> holds : history.holds().values()) {
            String last = "";
            for (Hold hold : holds) {
                if (!hold.process().equals(last)) {
                    answers.add(hold.granted());
                }
                last = hold.process();
            }
        }
        return answers;
    }

    private static long longestSilence(NavigableSet<Long> answers, long from, long to) {
        long longest = 0;
        long since = from;
        for (long answer : answers.subSet(from, to)) {
            longest = Math.max(longest, answer - since);
            since = answer;
        }
        return Math.max(longest, to - since);
    }
}
