package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.check.Waits.Wait;
import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check of the time from the end of a hold to the next grant. It has a limit where a process waited to which nothing
 * happened, whoever had the lock then: a newcomer that gets it does not make up for who was passed by. It counts from the
 * last that happened to another that waited for the same lock: that one may have been the next in turn, and its turn lasts for a while. The check adds to the limit what
 * the machine itself took: the time in which threads that did nothing but sleep were not woken, in whatever process.
 */
public final class HandOvers implements Check {
    private final long limit;

    /** Creates a check with the longest time that is allowed. */
    public HandOvers(Duration limit) {
        this.limit = limit.toNanos();
    }

    @Override
    public List<Violation> of(History history) {
        List<Violation> violations = new ArrayList<>();
        Waits waits = new Waits(history);
        for (HandOver one : find(history)) {
            Delay delay = one.nanos() > limit ? longest(one, waits) : null;
            if (delay != null && delay.nanos() > limit) {
                long granted = one.to().granted();
                violations.add(new Violation(
                        Rule.LATE,
                        one.to().name(),
                        delay.from(),
                        granted,
                        "process " + delay.waiter().process() + " waited " + millis(delay.to() - delay.from())
                                + " though nobody had it until " + one.to() + "; the machine stood still for "
                                + millis(delay.stalled())));
            }
        }
        return violations;
    }

    /** Returns the longest time to which the limit applies; zero if there was none. */
    public static Duration longestDelay(History history) {
        Waits waits = new Waits(history);
        long longest = 0;
        for (HandOver one : find(history)) {
            Delay delay = one.nanos() > longest ? longest(one, waits) : null;
            longest = delay == null ? longest : Math.max(longest, delay.nanos());
        }
        return Duration.ofNanos(longest);
    }

    /** The time that a wait was delayed, without what the machine took. */
    private record Delay(Wait waiter, long from, long to, long stalled, long nanos) {}

    private static @Nullable Delay longest(HandOver one, Waits waits) {
        String name = one.to().name();
        long granted = one.to().granted();
        Delay longest = null;
        long since = one.from();
        // From strike to strike: where one follows the other none of them is to hide what was late before it.
        for (long until : waits.strikes(name, one.from(), granted)) {
            for (Wait wait : waits.undisturbed(name, since, until)) {
                if (!one.wasWaitedFor() && wait.from() > one.from()) {
                    continue; // as the newcomer, who may just have begun to connect
                }
                long from = Math.max(since, wait.from());
                long to = Math.min(until, wait.to());
                long stalled = waits.stalled(from, to);
                Delay delay = new Delay(wait, from, to, stalled, to - from - stalled);
                longest = longest == null || delay.nanos() > longest.nanos() ? delay : longest;
            }
            since = until;
        }
        return longest;
    }

    private static String millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis() + " ms";
    }

    /** Returns the longest time to a grant that was waited for, where nothing happened meanwhile to who got the lock; zero if there was none. */
    public static Duration longest(History history) {
        Waits waits = new Waits(history);
        return find(history).stream()
                .filter(HandOver::wasWaitedFor)
                .filter(one -> !waits.isDisturbed(
                        one.to().process(), one.from(), one.to().granted()))
                .map(one -> Duration.ofNanos(one.nanos()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The time from when the lock was free, which that process had had, until somebody had it. */
    record HandOver(String former, long from, Hold to) {
        boolean isToAnother() {
            return !to.process().equals(former);
        }

        boolean wasWaitedFor() {
            return to.asked() < from;
        }

        long nanos() {
            return to.granted() - from;
        }
    }

    static List<HandOver> find(History history) {
        List<HandOver> found = new ArrayList<>();
        for (List<Hold> holds : history.holds().values()) {
            long free = Long.MIN_VALUE;
            String former = "";
            for (Hold hold : holds) {
                if (!hold.wasHeld()) {
                    continue;
                }
                if (free != Long.MIN_VALUE && free < hold.granted()) {
                    found.add(new HandOver(former, free, hold));
                }
                former = hold.end() > free ? hold.process() : former;
                free = Math.max(free, hold.end());
            }
        }
        return found;
    }
}
