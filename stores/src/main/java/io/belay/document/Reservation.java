package io.belay.document;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Versions below zero, each of which reserves a document for the client that set it: one to which others were quicker
 * too often, as it is farther away or has less of a processor. The others step back until it has written, or until the
 * time in the version is over, by the database's clock. A reservation is a courtesy: a document changes as ever by
 * compare-and-set, whoever heeds it or not.
 */
final class Reservation {
    private static final int RANDOM_BITS = 20;

    /** One that is left for longer is none: the database's clock was put back since, or the version is damaged. */
    private static final long LONGEST_MILLIS = 1_000;

    private Reservation() {}

    /** Returns a fresh version that reserves until then, in microseconds. */
    static long until(long micros) {
        long random = ThreadLocalRandom.current().nextLong(1L << RANDOM_BITS);
        return -(millis(micros) << RANDOM_BITS | random);
    }

    /** Returns for how long a version still reserves the document, in nanoseconds; 0 if it does not. */
    static long left(long version, long now) {
        long millis = version < 0 ? (-version >> RANDOM_BITS) - now / 1000 : 0;
        return millis <= 0 || millis > LONGEST_MILLIS ? 0 : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Returns the version above which none reserves anything then: those below zero were set for an earlier time. */
    static long over(long now) {
        return -(millis(now) << RANDOM_BITS);
    }

    /** Returns the milliseconds, rounded up. */
    private static long millis(long micros) {
        return micros / 1000 + 1;
    }
}
