package io.belay.trials.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.belay.trials.check.Checks;
import io.belay.trials.check.HandOvers;
import io.belay.trials.check.Overlaps;
import io.belay.trials.check.RateReturns;
import io.belay.trials.check.ServedAgain;
import io.belay.trials.check.Violation;
import io.belay.trials.check.Violation.Rule;
import io.belay.trials.fault.Fault;
import io.belay.trials.fault.Plan;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.List;
import java.util.Locale;

/**
 * The figures that a trial came to.
 *
 * @param operations how often a lock was asked for
 * @param grants how often it was had
 * @param violations broken promises of all kinds
 * @param tokenFalls tokens that were not above those before; -1 for a library without tokens
 * @param staleWritesAccepted guarded writes with an old token; -1 for a library without tokens
 * @param heldAfterLost how often "held" was said after "lost"
 * @param unguardedLost acknowledged writes that another wrote over, where nothing but the lock protected them
 * @param guardedLost acknowledged writes under the guard that another wrote over
 * @param overlaps holds that went on when the next had begun, as they may where the store forgets
 * @param kept releases after which nobody was to have the lock for a while
 * @param moved ends of holds that were moved
 * @param longestHandOverMillis from the end of a hold to the next grant that was waited for
 * @param longestDelayMillis the part of a hand-over that has a limit: from the last that happened to anybody who
 *     waited, for a waiter to which nothing happened, without what the machine took
 */
@JsonPropertyOrder({
    "store",
    "fault",
    "workload",
    "library",
    "seconds",
    "seed",
    "operations",
    "grants",
    "violations",
    "tokenFalls",
    "staleWritesAccepted",
    "heldAfterLost",
    "unguardedLost",
    "guardedLost",
    "overlaps",
    "kept",
    "moved",
    "longestHandOverMillis",
    "longestDelayMillis",
    "verdict"
})
public record Figures(
        String store,
        String fault,
        String workload,
        String library,
        int seconds,
        long seed,
        long operations,
        long grants,
        long violations,
        long tokenFalls,
        long staleWritesAccepted,
        long heldAfterLost,
        long unguardedLost,
        long guardedLost,
        long overlaps,
        long kept,
        long moved,
        long longestHandOverMillis,
        long longestDelayMillis,
        Verdict verdict) {

    /** The ways in which a trial ends. */
    public enum Verdict {
        /** The promises were all kept. */
        HELD,
        /** A promise was not kept, or the trial had other trouble. */
        BROKEN,
        /** The trial harmed nothing that it should have harmed, so it showed nothing. */
        NO_BITE;

        /** Returns the verdict as it is written. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Counts what was found in a history. */
    public static Figures of(Plan plan, History history, List<Violation> violations, int strikes, boolean troubled) {
        boolean tokens = history.events(Type.GRANTED).stream().anyMatch(event -> event.token() >= 0);
        long lost = Checks.unguardedLost(history);
        long overlaps = Overlaps.count(history);
        return new Figures(
                plan.store(),
                plan.fault().title(),
                plan.workload(),
                plan.library(),
                plan.seconds(),
                plan.seed(),
                history.count(Type.ASK),
                history.count(Type.GRANTED),
                violations.size(),
                tokens ? count(violations, Rule.TOKENS) : -1,
                tokens ? count(violations, Rule.STALE_WRITE) : -1,
                count(violations, Rule.HELD_AFTER_LOST),
                lost,
                count(violations, Rule.GUARDED_LOST),
                overlaps,
                history.count(Type.KEPT),
                history.count(Type.MOVED),
                HandOvers.longest(history).toMillis(),
                HandOvers.longestDelay(history).toMillis(),
                verdict(plan, history, violations.isEmpty() && !troubled, strikes, lost, overlaps));
    }

    /** The row of a table in Markdown, for {@code trials/table}; the columns in its midst are those of the workload. */
    public String row() {
        return String.join(
                " | ",
                "| `" + fault + "`",
                "`" + store + "`",
                grouped(operations),
                grouped(grants),
                grouped(overlaps),
                workload.equals("jobs")
                        ? grouped(kept) + " | " + grouped(moved)
                        : grouped(unguardedLost) + " | " + grouped(guardedLost) + " | " + grouped(staleWritesAccepted),
                grouped(longestHandOverMillis) + " ms",
                grouped(longestDelayMillis) + " ms",
                verdict.word() + " |");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static Verdict verdict(Plan plan, History history, boolean kept, int strikes, long lost, long overlaps) {
        if (!kept) {
            return Verdict.BROKEN;
        }
        boolean idle = history.count(Type.GRANTED) == 0;
        boolean harmless = plan.fault() != Fault.NONE && strikes == 0;
        boolean toothless = (plan.fault() == Fault.PAUSE && history.count(Type.WRITTEN) > 0 && lost == 0)
                || (plan.keeps() && history.count(Type.KEPT) == 0)
                || (plan.movesEnds() && history.count(Type.MOVED) == 0)
                || (plan.workload().equals("order") && history.count(Type.QUEUED) == 0)
                || (plan.workload().equals("rings") && history.count(Type.REFUSED) == 0)
                || (plan.judgesRate() && !RateReturns.isJudged(history))
                || (plan.fault() == Fault.OUTAGE && !new ServedAgain(plan.lease()).isJudged(history))
                || (plan.fault() == Fault.CLOCK && overlaps == 0)
                || (plan.fault() == Fault.FAILOVER
                        && history.events(Type.CALM).stream()
                                .noneMatch(event -> event.name().endsWith(Fault.BEHIND)));
        return idle || harmless || toothless ? Verdict.NO_BITE : Verdict.HELD;
    }

    private static long count(List<Violation> violations, Rule rule) {
        return violations.stream().filter(one -> one.rule() == rule).count();
    }
}
