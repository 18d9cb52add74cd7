package io.belay.document;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Versions below zero, which reserve a document for whoever set one: a client to which others were quicker too often, as
 * it is farther away or has less of a processor. The others step back until it has written, or until the time in the
 * version is over, by the database's clock. It is a courtesy: a document changes as ever by compare-and-set, whoever heeds
 * it or not.
 */
final class Reservation {
    private static final int RANDOM_BITS = 20;

    private Reservation() {}

    /** A fresh version that reserves until then, in microseconds. */
    static long until(long micros) {
        long random = ThreadLocalRandom.current().nextLong(1L << RANDOM_BITS);
        return -(millis(micros) << RANDOM_BITS | random);
    }

    /** For how long a version still reserves the document, in nanoseconds; 0 if it does not. */
    static long left(long version, long now) {
        long millis = version < 0 ? (-version >> RANDOM_BITS) - now / 1000 : 0;
        return millis <= 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Versions above it reserve nothing at that time: those below zero have been set for an earlier one. */
    static long over(long now) {
        return -(millis(now) << RANDOM_BITS);
    }

    /** Rounded up. */
    private static long millis(long micros) {
        return micros / 1000 + 1;
    }
}
