package io.belay.node;

import io.belay.support.Moment;
import java.util.concurrent.TimeUnit;

/**
 * A fixed lease that has begun: the client does not ask the service about it again.
 *
 * @param asked an instant before the service began it
 * @param end when it ends, as a {@link System#nanoTime()}, if the machine is not suspended before
 */
record FixedLease(Moment asked, long end) {
    /** Makes a lease of so many microseconds that is about to be asked for. */
    static FixedLease of(long micros) {
        Moment now = Moment.now();
        return new FixedLease(now, now.nanos() + TimeUnit.MICROSECONDS.toNanos(micros));
    }

    /** Returns the end of the lease, nearer by as much as the machine was suspended since. */
    long endByNow() {
        return end - TimeUnit.MILLISECONDS.toNanos(asked.asleep());
    }
}
