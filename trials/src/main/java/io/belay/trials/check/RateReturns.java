package io.belay.trials.check;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A check that after the store stood still or was away one of the next seconds sees a third as many grants as a
 * second before that had on average. This must be so within three seconds and what the machine took of them. The
 * check leaves out what cannot be compared: where less than a second lay before, few grants were made in it, or
 * something else was done to the store.
 */
public final class RateReturns implements Check {
    /** The time from a strike's end to the next one in which all can be compared, with a second for the machine. */
    public static final Duration QUIET = Duration.ofSeconds(5);

    private static final long SECOND = 1_000_000_000;
    private static final long LIMIT = 3 * SECOND;
    private static final long STEP = SECOND / 10;
    private static final int SHARE = 3;
    private static final int LEAST_GRANTS = 30;

    /** A strike that can be judged: the grants in a second before it, and in the best one after it. */
    private record Case(Event strike, long end, long calm, long before, long after) {}

    @Override
    public List<Violation> of(History history) {
        return find(history).stream()
                .filter(one -> one.after() * SHARE < one.before())
                .map(one -> new Violation(
                        Rule.SLOW,
                        one.strike().name(),
                        one.strike().nanos(),
                        one.end(),
                        one.before() + " grants a second before, and in the best second of the "
                                + Duration.ofNanos(one.end() - one.calm()).toMillis() + " ms after it "
                                + one.after()))
                .toList();
    }

    /** Returns whether there was a strike that could be judged. */
    public static boolean isJudged(History history) {
        return !find(history).isEmpty();
    }

    private static List<Case> find(History history) {
        NavigableSet<Long> grants = new TreeSet<>();
        history.events(Type.GRANTED).forEach(event -> grants.add(event.nanos()));
        Waits waits = new Waits(history);
        List<Case> found = new ArrayList<>();
        // All strikes and their ends, and the last that was asked.
        List<Event> strikes = history.events(Type.STRIKE, Type.CALM);
        long over =
                history.events(Type.ASK).stream().mapToLong(Event::nanos).max().orElse(0);
        for (int i = 0; i + 1 < strikes.size(); i++) {
            Event strike = strikes.get(i);
            Event calm = strikes.get(i + 1);
            if (!isOfTheStore(strike)
                    || calm.type() != Type.CALM
                    || !calm.name().equals(strike.name())) {
                continue;
            }
            long since = i == 0 ? Long.MIN_VALUE : strikes.get(i - 1).nanos() + LIMIT;
            long next = i + 2 == strikes.size() ? over : strikes.get(i + 2).nanos();
            Case one = compare(grants, waits, since, strike, calm, next);
            if (one != null) {
                found.add(one);
            }
        }
        return found;
    }

    private static boolean isOfTheStore(Event strike) {
        return strike.name().endsWith("-all") || strike.name().endsWith("-server");
    }

    private static @Nullable Case compare(
            NavigableSet<Long> grants, Waits waits, long since, Event strike, Event calm, long next) {
        long begin = grants.isEmpty() ? strike.nanos() : Math.max(since, grants.first());
        begin = Math.max(begin, strike.nanos() - LIMIT);
        long before = begin < strike.nanos() ? count(grants, begin, strike.nanos()) : 0;
        long end = calm.nanos() + LIMIT + waits.stalled(calm.nanos(), calm.nanos() + LIMIT);
        if (strike.nanos() - begin < SECOND || before < LEAST_GRANTS || end > next) {
            return null;
        }
        long rate = before * SECOND / (strike.nanos() - begin);
        long best = 0;
        for (long from = calm.nanos(); from + SECOND <= end; from += STEP) {
            best = Math.max(best, count(grants, from, from + SECOND));
        }
        return new Case(strike, end, calm.nanos(), rate, best);
    }

    private static long count(NavigableSet<Long> grants, long from, long to) {
        return grants.subSet(from, to).size();
    }
}
