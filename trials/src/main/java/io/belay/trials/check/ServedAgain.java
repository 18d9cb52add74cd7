package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A check that from a lease after the store was struck on, no process is only told that its store is silent. It
 * judges times of two leases and more, without what the machine took of them; in shorter ones a try may well end
 * before it is answered.
 */
public final class ServedAgain implements Check {
    private static final int LEAST_LEASES = 2;

    private final long lease;

    /** Creates a check of locks with this lease. */
    public ServedAgain(Duration lease) {
        this.lease = lease.toNanos();
    }

    /** A time in which all must be served. */
    private record Span(long from, long to) {}

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        List<Event> answers = answers(history);
        find(history).forEach(span -> judge(answers, span, violations));
        return violations;
    }

    /** Returns whether there was a time that could be judged. */
    public boolean isJudged(History history) {
        return !find(history).isEmpty();
    }

    private static List<Event> answers(History history) {
        return history.events(Type.GRANTED, Type.REFUSED, Type.UNKNOWN);
    }

    private List<Span> find(History history) {
        List<Span> found = new ArrayList<>();
        List<Event> strikes = history.events(Type.STRIKE, Type.CALM);
        List<Event> answers = answers(history);
        Waits waits = new Waits(history);
        for (int i = 0; i < strikes.size(); i++) {
            boolean last = i + 1 == strikes.size();
            long from = strikes.get(i).nanos() + lease;
            long to = last ? end(answers) : strikes.get(i + 1).nanos();
            if (strikes.get(i).type() == Type.CALM && to - from - waits.stalled(from, to) >= LEAST_LEASES * lease) {
                found.add(new Span(from, to));
            }
        }
        return found;
    }

    private static long end(List<Event> answers) {
        return answers.isEmpty() ? 0 : answers.get(answers.size() - 1).nanos();
    }

    private static void judge(List<Event> answers, Span span, List<Violation> violations) {
        Set<String> served = new HashSet<>();
        Set<String> refused = new TreeSet<>();
        for (Event answer : answers) {
            if (answer.nanos() >= span.from() && answer.nanos() <= span.to()) {
                (answer.type() == Type.UNKNOWN ? refused : served).add(answer.process());
            }
        }
        refused.removeAll(served);
        for (String process : refused) {
            violations.add(new Violation(
                    Rule.UNSERVED,
                    "-",
                    span.from(),
                    span.to(),
                    "process " + process + " was answered nothing in "
                            + Duration.ofNanos(span.to() - span.from()).toMillis() + " ms"));
        }
    }
}
