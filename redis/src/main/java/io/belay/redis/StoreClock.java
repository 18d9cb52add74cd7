package io.belay.redis;

import org.jspecify.annotations.Nullable;

/**
 * The time that a server's clock showed, to be compared with that of the one which takes over: tokens are made of it.
 *
 * @param run the number of the server's run
 * @param micros what it showed, in microseconds
 * @param nanos the local instant at which it did, a {@link System#nanoTime()}
 * @param address how messages name the server
 */
record StoreClock(long run, long micros, long nanos, String address) {
    /** The milliseconds that the clocks of servers may differ by. */
    private static final long TOLERANCE_MILLIS = 1000;

    /** Returns what is wrong with this clock, if its server took over from another: a sentence; null if nothing. */
    @Nullable
    String complaint(StoreClock before) {
        long ahead = (micros - before.micros) / 1000 - (nanos - before.nanos) / 1_000_000;
        if (run == before.run || micros == 0 || before.micros == 0 || Math.abs(ahead) <= TOLERANCE_MILLIS) {
            return null;
        }
        return address + " took over from " + before.address + ", and its clock is " + Math.abs(ahead) + " ms "
                + (ahead < 0 ? "behind that one's, so tokens may go back" : "ahead of that one's")
                + ": set the clocks by NTP";
    }
}
