package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.check.Waits.Wait;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The time from the end of a hold to the next grant that was waited for. It is limited where a process was waiting all
 * the while to which nothing happened. It counts from the last that happened to another that waited for the same lock:
 * that one may have been the next in turn, and its turn lasts for a while. What the machine itself took is added to the
 * limit: the time in which threads that did nothing but sleep were not woken.
 */
public final class HandOvers implements Check {
    private final long limit;

    /** {@code limit}: the longest that is allowed. */
    public HandOvers(Duration limit) {
        this.limit = limit.toNanos();
    }

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        Waits waits = new Waits(history);
        for (HandOver one : find(history)) {
            if (one.nanos() > limit) {
                judge(one, waits, violations);
            }
        }
        return violations;
    }

    private void judge(HandOver one, Waits waits, List<Violation> violations) {
        String name = one.to().name();
        long granted = one.to().granted();
        long since = waits.lastStrike(name, one.from(), granted);
        for (Wait wait : waits.undisturbed(name, since, granted)) {
            long from = Math.max(since, wait.from());
            long stalled = waits.stalled(wait.process(), from, granted);
            if (granted - from > limit + stalled) {
                violations.add(new Violation(
                        Rule.LATE,
                        name,
                        from,
                        granted,
                        "process " + wait.process() + " waited " + millis(granted - from) + " until " + one.to()
                                + " had it; the machine stood still for " + millis(stalled)));
                return;
            }
        }
    }

    private static String millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis() + " ms";
    }

    /** The longest, where nothing happened meanwhile to who got the lock; zero if there was none. */
    public static Duration longest(History history) {
        Waits waits = new Waits(history);
        return find(history).stream()
                .filter(one -> !waits.isDisturbed(
                        one.to().process(), one.from(), one.to().granted()))
                .map(one -> Duration.ofNanos(one.nanos()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** From when the lock was free until a waiter had it. */
    private record HandOver(long from, Hold to) {
        long nanos() {
            return to.granted() - from;
        }
    }

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
