package io.belay.internal.time;

import io.belay.support.Moment;
import java.util.function.LongSupplier;

/** The clocks of this process, injected so that leases and losses are tested without sleeping. */
public interface Time {
    /** Returns {@link System#nanoTime()}, which counts leases. It stands still while the machine is suspended. */
    long nanos();

    /** Returns {@link System#currentTimeMillis()}, compared with the other only, to notice a suspension. */
    long wallMillis();

    /**
     * Returns how far the wall clock is ahead of nanoTime, in milliseconds; see
     * {@link Moment#wallOffset(LongSupplier, LongSupplier)}.
     */
    default long wallOffset() {
        return Moment.wallOffset(this::nanos, this::wallMillis);
    }

    /** The real clocks. */
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };
}
