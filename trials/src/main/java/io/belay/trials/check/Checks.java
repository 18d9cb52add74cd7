package io.belay.trials.check;

import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All checks. */
public final class Checks {
    private Checks() {}

    /**
     * What is wrong with a history.
     *
     * @param lease the lease of all locks in it
     * @return the broken promises, the earliest first
     */
    public static List<Violation> all(History history, Duration lease) {
        List<Check> checks = new ArrayList<>(List.of(
                new Exclusion(),
                new Tokens(),
                new GuardedWrites(),
                new Losses(),
                new HandOvers(lease),
                new Stuck(),
                new Order(lease),
                new LeftBehind(lease)));
        if (history.events(Type.PAUSE, Type.KILL, Type.STRIKE).isEmpty()) {
            checks.add(new LostWrites());
        }
        return checks.stream()
                .flatMap(check -> check.of(history).stream())
                .sorted(Comparator.comparingLong(Violation::from))
                .toList();
    }

    /** How many unguarded writes were lost, as they are where a lease ends under a client that does not look. */
    public static long unguardedLost(History history) {
        return new LostWrites().of(history).size();
    }
}
