package io.belay.document;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The schedule by which a client polls a resource where what others do matters to it. A client that others call
 * need hardly poll. Any other one that is next polls soon, less and less often while nothing happens, and when the next
 * claim there is to expire; one that is to wait for the turns of several polls the less often, the more they are: what all of
 * them ask for is to grow with their number, and not with its square.
 */
final class PollSchedule {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int DOUBLINGS = 5;

    /**
     * The time that a waiter counts for each turn before its own, in nanoseconds: rather less than one lasts, since who
     * looks too late loses time of its own turn.
     */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(8);

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

    /** The time to the next poll after a failure, and where only the unusual could happen, in nanoseconds. */
    private static final long LATER = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int RARER = 3;

    private final boolean called;

    /** @param called whether others call this client */
    PollSchedule(boolean called) {
        this.called = called;
    }

    /** Returns in how many nanoseconds to poll; 0 for not at all. */
    long next(ResourceUpdate job) {
        if (job.isLeftOpen()) {
            return spread(LATER);
        } else if (job.queue.own.isEmpty()) {
            return 0;
        } else if (called) {
            return TimeUnit.MICROSECONDS.toNanos(job.queue.own.lookIn(job.time())) + spread(LATER);
        }
        int turns = job.turnsAhead();
        if (turns == 0) {
            // A holder is to hear of it if its hold is ended by force.
            return spread(LATER << Math.min(RARER, job.queue.unchanged));
        } else if (turns > 1) {
            // In time to be next, while turns pass; when none does, no more often than who is next.
            long before = TURN * (turns - 1);
            long rarer = Math.min(SOON << DOUBLINGS, before << Math.min(DOUBLINGS, job.queue.unchanged / 2));
            return spread(Math.min(LONGEST, Math.max(before, rarer)));
        }
        long pause = spread(SOON << Math.min(DOUBLINGS, job.queue.unchanged / 2));
        long expiry = TimeUnit.MICROSECONDS.toNanos(job.nextExpiry());
        return expiry > 0 ? Math.min(pause, expiry) : pause;
    }

    /** Returns about as many nanoseconds, so that not all clients act at the same time. */
    static long spread(long nanos) {
        return nanos - nanos / 4 + ThreadLocalRandom.current().nextLong(nanos / 2);
    }
}
