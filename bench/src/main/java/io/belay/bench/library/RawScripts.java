package io.belay.bench.library;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The parts of a lock by hand: SET NX PX with a value of one's own, and a script that deletes only that. */
final class RawScripts {
    static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    static final long LEASE_MILLIS = 30_000;

    private static final String CLIENT =
            Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-";
    private static final AtomicLong LAST = new AtomicLong();

    private RawScripts() {}

    /** Returns a value that no other acquisition has. */
    static String value() {
        return CLIENT + LAST.incrementAndGet();
    }
}
