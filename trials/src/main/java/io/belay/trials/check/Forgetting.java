package io.belay.trials.check;

import java.time.Duration;
import java.util.List;

/**
 * The strikes after which a store may have forgotten a grant, or the time until when: nothing else excuses two holders, a token that
 * falls, or a lock that was to be kept.
 *
 * @param strikes the beginnings of their names
 * @param after how long after the end of a strike this may show
 */
public record Forgetting(List<String> strikes, Duration after) {
    /** The time that may pass until what was done is written down, where that is not done before, in nanoseconds. */
    private static final long WRITTEN_NANOS = 500_000_000;

    public Forgetting {
        strikes = List.copyOf(strikes);
    }

    /** Returns the check, but for what begins while the store may forget. */
    Check butFor(Check check) {
        return history -> {
            StrikeTimes times = new StrikeTimes(history, this::isOne, after.toNanos());
            return check.of(history).stream()
                    .filter(one -> !times.touch(one.from(), one.from() + WRITTEN_NANOS))
                    .toList();
        };
    }

    private boolean isOne(String strike) {
        return strikes.stream().anyMatch(strike::startsWith);
    }
}
