package io.belay.document;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * When a client looks by itself at a resource where what others do matters to it. Where others call it, it need not; else
 * whoever is next looks soon, less and less often while nothing happens, and when the next claim there is to expire; whoever
 * is to wait for the turns of several looks the less often, the more they are: what all of them ask for is to grow with
 * their number, and not with its square.
 */
final class Looks {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int DOUBLINGS = 5;

    /** For each turn of others that is awaited: they take turns no quicker than the first of them looks. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(16);

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

    /** After a failure, and where only the unusual could happen. */
    private static final long LATER = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int RARER = 3;

    private final boolean called;

    /** @param called whether others call this client */
    Looks(boolean called) {
        this.called = called;
    }

    /** In how many nanoseconds to look; 0 for not at all. */
    long next(Job job) {
        if (job.isLeftOpen()) {
            return spread(LATER);
        } else if (called || job.lane.own.isEmpty()) {
            return 0;
        }
        int turns = job.turnsAhead();
        if (turns == 0) {
            // A holder is to hear of it if its hold is ended by force.
            return spread(LATER << Math.min(RARER, job.lane.unchanged));
        } else if (turns > 1) {
            return spread(Math.min(LONGEST, Math.max(SOON << DOUBLINGS, TURN * turns)));
        }
        long pause = spread(SOON << Math.min(DOUBLINGS, job.lane.unchanged / 2));
        long expiry = TimeUnit.MICROSECONDS.toNanos(job.nextExpiry());
        return expiry > 0 ? Math.min(pause, expiry) : pause;
    }

    /** About that much, so that not all do it at the same time. */
    static long spread(long nanos) {
        return nanos - nanos / 4 + ThreadLocalRandom.current().nextLong(nanos / 2);
    }
}
