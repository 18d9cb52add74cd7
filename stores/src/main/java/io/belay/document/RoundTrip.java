package io.belay.document;

import java.util.concurrent.TimeUnit;

/** The time that one thread takes to read and to write. */
final class RoundTrip {
    /** The time beyond which a client is far away from where others may be near, in nanoseconds. */
    private static final long FAR = TimeUnit.MILLISECONDS.toNanos(4);

    /** A reservation lasts as long as two round trips, but within these bounds. */
    private static final long SHORTEST = FAR;

    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(300);

    private long nanos;

    /** Notes how long it took this time, in nanoseconds; the mean of the last few counts. */
    void took(long once) {
        nanos = nanos == 0 ? once : (3 * nanos + once) / 4;
    }

    /** Returns whether the database is far away: others who are nearer would always be quicker. */
    boolean isFar() {
        return nanos > FAR;
    }

    /** Returns for how long a document is reserved, in nanoseconds. */
    long reservation() {
        return Math.max(SHORTEST, Math.min(LONGEST, 2 * nanos));
    }
}
