package io.belay.internal.machine;

/**
 * What is known of a claim's time, all of one moment: the last answered request, and the end that is counted from it. Immutable,
 * so that whoever reads it without the lock never sees an end beside what another was counted from.
 *
 * @param sent the instant before the request was sent
 * @param wallOffset wall clock minus nanoTime at that instant, in milliseconds
 * @param time the store's time in its answer
 * @param server the run of the server that answered
 * @param until when the lease ends by the local clock, the drift margin taken off
 */
public record Known(long sent, long wallOffset, long time, long server, long until) {
    Known withUntil(long end) {
        return end == until ? this : new Known(sent, wallOffset, time, server, end);
    }

    Known with(long itsOffset, long end) {
        return new Known(sent, itsOffset, time, server, end);
    }

    /**
     * Returns when a lease ends that the store ends at that time: none is longer than was asked for, even if the store's clock was
     * put back.
     *
     * @param deadline a time of the store's, in microseconds
     * @param longest what was asked for, in microseconds
     */
    long end(long deadline, long longest) {
        return sent + localNanos(Math.min(deadline - time, longest));
    }

    /** Returns whether the wall clock has run ahead of nanoTime since by more than two clocks may differ. */
    public boolean isOvertaken(long later) {
        return later > wallOffset + drift(until - sent);
    }

    /** Returns whether the store's clock went further since, to that time, than any clock that runs could by now. */
    boolean isOutrun(long laterTime, long now) {
        return localNanos(laterTime - time) > now - sent;
    }

    /** Returns by how many milliseconds two clocks may differ after so many nanoseconds: by 1 %, and 2 ms. */
    public static long drift(long nanos) {
        return nanos / 100 / 1_000_000 + 2;
    }

    /** Returns so many microseconds of the store's clock as local nanoseconds, rather too few: the margin is taken off. */
    static long localNanos(long micros) {
        return (micros - micros / 100 - 2_000) * 1000;
    }
}
