package io.belay.document;

import java.util.concurrent.TimeUnit;

/** How long one thread takes to read and to write, and whether that is too long beside others who are quicker. */
final class RoundTrip {
    /** Whoever takes longer is far away from where others may be near, in nanoseconds. */
    private static final long FAR = TimeUnit.MILLISECONDS.toNanos(4);

    /** A reservation lasts as long as two round trips, but within these bounds. */
    private static final long SHORTEST = FAR;

    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(300);

    /** After how many refusals one who is near reserves what others wait for, and all else. */
    private static final int URGENT = 2;

    private static final int OTHERS = 4;

    private long nanos;

    /** It took that long this time; the mean of the last few counts. */
    void took(long once) {
        nanos = nanos == 0 ? once : (3 * nanos + once) / 4;
    }

    /** Reserves what others were quicker to change. */
    void reserve(Documents.Session session, Job job) {
        int near = job.isUrgent() ? URGENT : OTHERS;
        if (job.lane.failures >= (nanos > FAR ? 1 : near)) {
            job.reserve(session, Math.max(SHORTEST, Math.min(LONGEST, 2 * nanos)));
        }
    }
}
