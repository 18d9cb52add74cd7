package io.belay.redis;

import org.jspecify.annotations.Nullable;

/**
 * The time that a server's clock showed, to be compared with that of the one which takes over: tokens are made of it.
 *
 * @param run the number of the server's run
 * @param micros what it showed, in microseconds
 * @param asked a local instant before it did, a {@link System#nanoTime()}
 * @param heard one after it did
 * @param address how messages name the server
 */
record StoreClock(long run, long micros, long asked, long heard, String address) {
    /** The milliseconds that the clocks of servers may differ by. */
    private static final long TOLERANCE_MILLIS = 1000;

    /** Returns what is wrong with this clock, if its server took over from another: a sentence; null if nothing. */
    @Nullable
    String complaint(StoreClock before) {
        if (run == before.run || micros == 0 || before.micros == 0) {
            return null;
        }
        long shown = (micros - before.micros) / 1000;
        // An answer may have been on its way for long, or waited for a process that was just starting.
        long ahead = shown - (heard - before.asked) / 1_000_000;
        long behind = (asked - before.heard) / 1_000_000 - shown;
        if (Math.max(ahead, behind) <= TOLERANCE_MILLIS) {
            return null;
        }
        // A name stays when its server does not.
        return address
                + (address.equals(before.address) ? " was restarted or replaced" : " took over from " + before.address)
                + ", and its clock is "
                + (behind > ahead
                        ? behind + " ms behind the last one's, so tokens may go back"
                        : ahead + " ms ahead of the last one's")
                + ": set the clocks by NTP";
    }
}
