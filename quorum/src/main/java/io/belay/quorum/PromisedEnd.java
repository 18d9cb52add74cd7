package io.belay.quorum;

import io.belay.support.Moment;
import java.util.concurrent.TimeUnit;

/**
 * The end of what a member has promised, or a majority: it comes nearer while the machine is suspended, as the members'
 * clocks go on then and {@link System#nanoTime()} does not.
 *
 * @param micros the end in the quorum's microseconds, if the machine is not suspended before; 0 for no promise
 * @param asked an instant from before it was asked for
 */
record PromisedEnd(long micros, Moment asked) {
    static final PromisedEnd NONE = new PromisedEnd(0, new Moment(0, 0));

    /** Returns the end as it is by that instant, in the quorum's microseconds; 0 for no promise. */
    long by(Moment now) {
        // A wall clock that was set for the first time is decades ahead; there was a promise all the same.
        return micros == 0 ? 0 : Math.max(1, micros - TimeUnit.MILLISECONDS.toMicros(asked.asleepUntil(now)));
    }

    /** Returns whether it was asked for after the other one. */
    boolean isLaterThan(PromisedEnd other) {
        return micros != 0 && asked.nanos() - other.asked.nanos() > 0;
    }
}
