package io.belay.node;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;

/**
 * The store's time where the service has no clock: that of this process. A client's deadlines are differences of it, so
 * each client may have its own.
 */
final class Ticks {
    /** No instant that matters comes before it. */
    private final long origin = System.nanoTime() - 3_600_000_000_000L;

    long micros(long nanos) {
        return Math.max(0, (nanos - origin) / 1000);
    }

    /** How far the wall clock is ahead of nanoTime, which stands still while the machine is suspended; in milliseconds. */
    static long wallAhead() {
        long ahead;
        int attempts = 0;
        long before;
        do {
            before = System.nanoTime();
            ahead = System.currentTimeMillis() - before / 1_000_000;
        } while (System.nanoTime() - before > 500_000 && ++attempts < 10); // it was not scheduled in between
        return ahead;
    }

    Answer answer(long asked, State state) {
        return new Answer(micros(asked), state, 0, 0, 0, 0, 0, 0, 0, null);
    }

    Answer refused(long asked, String why) {
        return new Answer(micros(asked), State.REFUSED, 0, 0, 0, 0, 0, 0, 0, why);
    }
}
