package io.belay.trials.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The promises by which a history is judged.
 *
 * @param lease the lease of all locks
 * @param forgetting the strikes after which the store may forget a grant, so that holds overlap until the former holder is told;
 *     null where it never does
 * @param handOver the longest that a waiter to which nothing happens may wait for a lock that nobody has, counted
 *     from the last that happened to anybody who had it or waited for it; null where nothing is promised
 * @param besides what else is judged
 */
public record Promises(
        Duration lease,
        @Nullable Forgetting forgetting,
        @Nullable Duration handOver,
        List<Check> besides) {
    public Promises {
        besides = List.copyOf(besides);
    }

    /** Returns the same promises, but for how long a waiter may wait. */
    public Promises withoutHandOver() {
        return new Promises(lease, forgetting, null, besides);
    }

    /** Returns the same promises, but with another limit for how long a waiter may wait. */
    public Promises withHandOver(Duration limit) {
        return new Promises(lease, forgetting, limit, besides);
    }

    /** Returns the same promises, and these. */
    public Promises and(Check... more) {
        List<Check> all = new ArrayList<>(besides);
        all.addAll(List.of(more));
        return new Promises(lease, forgetting, handOver, all);
    }
}
