package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of stores that forget a grant, or the time until when. Such a store grants the lock again beside the
 * holder, which learns it from the next answer, so:
 *
 * <ul>
 *   <li>once a hold that excludes it has begun with a higher token, a hold ends within the third of a lease in
 *       which it is renewed, what an answer may take, and what the machine took; so do those of other threads to
 *       which its client hands it on meanwhile;
 *   <li>no answer to what was asked after that moves its deadline;
 *   <li>unless it was given back before, its holder is told that it was lost;
 *   <li>no two exclusive holds have the same token.
 * </ul>
 */
public final class Overlaps implements Check {
    private static final Duration ANSWER = Duration.ofMillis(500);
    /** The time that a process must have gone on before the check counts that it did not tell, in nanoseconds. */
    private static final long GRACE_NANOS = 1_000_000_000;

    private final long lease;
    private final long limit;

    /** Creates a check of locks with this lease. */
    public Overlaps(Duration lease) {
        this.lease = lease.toNanos();
        limit = lease.dividedBy(3).plus(ANSWER).toNanos();
    }

    @Override
    public List<Violation> of(History history) {
        Map<String, Long> last = new HashMap<>();
        for (Event event : history.events()) {
            if (event.hold() > 0) {
                last.put(event.process(), event.nanos());
            }
        }
        List<Violation> violations = new ArrayList<>();
        history.holds().values().forEach(holds -> sameTokens(holds, violations));
        Waits waits = new Waits(history);
        for (Overlap one : find(history)) {
            judge(one, waits, last.getOrDefault(one.hold().process(), 0L), violations);
        }
        return violations;
    }

    /** Two that do not overlap, too: a guard takes the later one for the earlier. */
    private static void sameTokens(List<Hold> holds, List<Violation> violations) {
        Map<Long, Hold> before = new HashMap<>();
        for (Hold hold : holds) {
            Hold other =
                    hold.isExclusive() && hold.wasHeld() && hold.token() >= 0 ? before.put(hold.token(), hold) : null;
            if (other != null) {
                violations.add(violation(Rule.TOKENS, new Overlap(hold, other), "has the token of " + other));
            }
        }
    }

    private void judge(Overlap one, Waits waits, long last, List<Violation> violations) {
        Hold hold = one.hold();
        long since = one.by().granted();
        long allowed = limit + waits.stalled(since, hold.end());
        if (hold.granted() - since > allowed) {
            violations.add(
                    violation(Rule.TOKENS, one, "got it " + millis(hold.granted() - since) + " after " + one.by()));
        } else if (hold.end() - since > allowed) {
            violations.add(violation(
                    Rule.EXCLUSION, one, "went on for " + millis(hold.end() - since) + " beside " + one.by()));
        } else if (hold.validUntil() != Hold.NEVER && hold.validUntil() - since > lease) {
            violations.add(violation(Rule.EXCLUSION, one, "was renewed beside " + one.by()));
        }
        boolean ended = hold.released() > hold.end() && hold.died() == Hold.NEVER;
        if (ended && hold.lost() == Hold.NEVER && last - hold.end() > GRACE_NANOS) {
            violations.add(violation(Rule.LOSS_UNTOLD, one, "beside " + one.by()));
        }
    }

    private static Violation violation(Rule rule, Overlap one, String what) {
        return new Violation(
                rule, one.hold().name(), one.by().granted(), one.hold().end(), one.hold() + " " + what);
    }

    private static String millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis() + " ms";
    }

    /** Returns how many holds went on beside one that excludes them. */
    public static long count(History history) {
        return find(history).size();
    }

    /** A hold that went on when one that excludes it had begun, and the first such. */
    private record Overlap(Hold hold, Hold by) {}

    private static List<Overlap> find(History history) {
        List<Overlap> found = new ArrayList<>();
        for (List<Hold> holds : history.holds().values()) {
            // The latest first: by their tokens, or where there are none by when they began.
            List<Hold> ordered =
                    new ArrayList<>(holds.stream().filter(Hold::wasHeld).toList());
            ordered.sort(Comparator.comparingLong(Hold::token)
                    .thenComparing(Hold::granted)
                    .reversed());
            Hold first = null;
            Hold firstExclusive = null;
            for (Hold hold : ordered) {
                Hold by = hold.isExclusive() ? first : firstExclusive;
                if (by != null && by.granted() < hold.end()) {
                    found.add(new Overlap(hold, by));
                }
                first = earlier(first, hold);
                firstExclusive = hold.isExclusive() ? earlier(firstExclusive, hold) : firstExclusive;
            }
        }
        return found;
    }

    private static Hold earlier(@Nullable Hold one, Hold other) {
        return one == null || other.granted() < one.granted() ? other : one;
    }
}
