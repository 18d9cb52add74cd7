package io.belay.internal.machine;

import io.belay.internal.time.BackOff;
import org.jspecify.annotations.Nullable;

/**
 * The last request of a {@link Stay}: whether its answer is still to come, and when the request is sent again if none does. All
 * times in nanoseconds.
 */
public final class InFlight {
    /** The time for which a missing answer is not held against a store that has answered on this connection before. */
    public static final long SLOW = 200_000_000;

    private static final BackOff PAUSE = new BackOff(500_000_000);

    /** The number of the last request: only its answer ends the wait for one, older answers only inform. */
    int number;

    boolean underWay;

    /** Until when a missing answer is not held against the store; of no use where none is under way. */
    long dueUntil;

    long resendAt;
    int failures;

    @Nullable
    String failure;

    /**
     * Begins to wait for a request that is sent now; returns its number.
     *
     * @param patience for how long a missing answer is not held against the store
     * @param timeout after how long the request is sent again
     */
    int begin(long now, long patience, long timeout) {
        underWay = true;
        dueUntil = now + patience;
        resendAt = now + timeout;
        return ++number;
    }

    void answered() {
        failures = 0;
        failure = null;
        underWay = false;
    }

    /** Puts off the next sending of the request, the longer the more often it has failed. */
    void backOff(long now) {
        resendAt = now + PAUSE.after(failures);
        failures++;
    }
}
