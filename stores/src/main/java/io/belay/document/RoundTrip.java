package io.belay.document;

import java.util.concurrent.TimeUnit;

/** The time that one thread takes to read and to write, and whether it is too long beside others who are quicker. */
final class RoundTrip {
    /** The time beyond which a client is far away from where others may be near, in nanoseconds. */
    private static final long FAR = TimeUnit.MILLISECONDS.toNanos(4);

    /** A reservation lasts as long as two round trips, but within these bounds. */
    private static final long SHORTEST = FAR;

    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(300);

    /** The refusals after which a client that is near reserves a document that others wait for, and any other. */
    private static final int URGENT = 2;

    private static final int OTHERS = 4;

    private long nanos;

    /** Notes how long it took this time, in nanoseconds; the mean of the last few counts. */
    void took(long once) {
        nanos = nanos == 0 ? once : (3 * nanos + once) / 4;
    }

    /**
     * Returns whether the document is to be reserved, as others were quicker to change it. That waits for whoever keeps it
     * locked: where nobody is seen to change it, only what is done by itself is.
     */
    boolean isToReserve(ResourceUpdate job) {
        int near = job.isUrgent() ? URGENT : OTHERS;
        return job.queue.failures >= (nanos > FAR ? 1 : near) && (job.queue.apart || job.queue.isUnlocked());
    }

    /** Returns for how long a document is reserved, in nanoseconds. */
    long reservation() {
        return Math.max(SHORTEST, Math.min(LONGEST, 2 * nanos));
    }
}
