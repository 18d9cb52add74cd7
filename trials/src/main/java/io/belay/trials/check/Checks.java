package io.belay.trials.check;

import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A run of all checks on a history. */
public final class Checks {
    private Checks() {}

    /** Returns what is wrong with a history: the broken promises, the earliest first. */
    public static List<Violation> all(History history, Promises promises) {
        List<Check> checks = new ArrayList<>(
                List.of(new GuardedWrites(), new Losses(), new Stuck(), new Defects(promises.forgetting() != null)));
        List<Check> ofMemory = List.of(new Exclusion(), new Tokens(), new Kept());
        Forgetting forgetting = promises.forgetting();
        if (forgetting == null) {
            checks.addAll(ofMemory);
        } else {
            checks.add(new Overlaps(promises.lease()));
            for (Check check : ofMemory) {
                checks.add(forgetting.butFor(check));
            }
        }
        if (promises.handOver() != null) {
            checks.add(new HandOvers(promises.handOver()));
        }
        checks.addAll(promises.besides());
        checks.add(new Order(promises.lease()));
        checks.add(new LeftBehind(promises.lease()));
        if (history.events(Type.PAUSE, Type.KILL, Type.STRIKE).isEmpty() && !stalled(history, promises.lease())) {
            checks.add(new LostWrites());
            checks.add(new Releases());
        }
        return checks.stream()
                .flatMap(check -> check.of(history).stream())
                .sorted(Comparator.comparingLong(Violation::from))
                .toList();
    }

    /** Returns whether the machine stood still for so long that a lease may have ended: as if it had been a pause. */
    private static boolean stalled(History history, Duration lease) {
        long renewal = lease.dividedBy(3).toNanos();
        return history.events(Type.STALL).stream().anyMatch(stall -> stall.nanos() - stall.value() > renewal);
    }

    /** Returns how many unguarded writes were lost, as happens where a lease ends under a client that does not look. */
    public static long unguardedLost(History history) {
        return new LostWrites().of(history).size();
    }
}
