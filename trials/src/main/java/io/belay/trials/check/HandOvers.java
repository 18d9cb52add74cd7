package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The time from the end of a hold to the next grant that was waited for. Where nothing but kills happens to the clients
 * it is at most a lease and half a second, counted from the last kill: a waiter in front may have died, too.
 */
public final class HandOvers implements Check {
    private static final Duration MARGIN = Duration.ofMillis(500);

    private final long limit;

    /** For locks of this lease. */
    public HandOvers(Duration lease) {
        limit = lease.plus(MARGIN).toNanos();
    }

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        if (!history.events(Type.PAUSE, Type.STRIKE).isEmpty()) {
            // Who is paused may be the next in turn, and has a while to take what it was given.
            return violations;
        }
        NavigableSet<Long> kills = new TreeSet<>();
        history.events(Type.KILL).forEach(kill -> kills.add(kill.nanos()));
        for (HandOver one : find(history)) {
            Long kill = kills.floor(one.to().granted());
            long from = kill == null ? one.from() : Math.max(one.from(), kill);
            if (one.to().granted() - from > limit) {
                violations.add(new Violation(
                        Rule.LATE,
                        one.to().name(),
                        from,
                        one.to().granted(),
                        one.to() + " waited "
                                + Duration.ofNanos(one.to().granted() - from).toMillis() + " ms"));
            }
        }
        return violations;
    }

    /** The longest, where who got the lock was not paused meanwhile; zero if there was none. */
    public static Duration longest(History history) {
        Map<String, NavigableSet<Long>> pauses = new TreeMap<>();
        for (Event event : history.events(Type.PAUSE, Type.RESUME)) {
            pauses.computeIfAbsent(event.process(), process -> new TreeSet<>()).add(event.nanos());
        }
        return find(history).stream()
                .filter(one -> pauses.getOrDefault(one.to().process(), new TreeSet<>())
                        .subSet(one.from(), one.to().granted())
                        .isEmpty())
                .map(one -> Duration.ofNanos(one.to().granted() - one.from()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** From when the lock was free until a waiter had it. */
    private record HandOver(long from, Hold to) {}

    private static List<HandOver> find(History history) {
        List<HandOver> found = new ArrayList<>();
        for (List<Hold> holds : history.holds().values()) {
            long free = Long.MIN_VALUE;
            for (Hold hold : holds) {
                if (!hold.wasHeld()) {
                    continue;
                }
                if (hold.asked() < free && free < hold.granted()) {
                    found.add(new HandOver(free, hold));
                }
                free = Math.max(free, hold.end());
            }
        }
        return found;
    }
}
