package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;

/**
 * The store's time where the service has no clock: that of this process. A client's deadlines are differences of it, so
 * each client may have its own.
 */
final class LocalClock {
    /** An instant before all that matter, as a {@link System#nanoTime()}. */
    private final long origin = System.nanoTime() - 3_600_000_000_000L;

    long micros(long nanos) {
        return Math.max(0, (nanos - origin) / 1000);
    }

    Answer answer(long asked, State state) {
        return Answer.of(state, micros(asked));
    }

    Answer refused(long asked, String why) {
        return Answer.of(State.REFUSED, micros(asked)).withRefusal(why);
    }
}
