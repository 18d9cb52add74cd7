package io.belay.micrometer;

import io.belay.Belay;
import io.belay.Statistics;
import io.belay.support.Mutex;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a client has counted, read anew when the last reading is 100 milliseconds old: the meters of one scrape, which are
 * read one after the other, are of one moment. Thread-safe.
 */
final class Readings {
    /** The age from which on a reading is not used any more, in nanoseconds. */
    static final long AGE = 100_000_000;

    private final Belay belay;
    private final LongSupplier nanos;
    private final Consumer<Reading> onNew;
    private final Mutex lock = new Mutex();
    private volatile Reading last;

    /** What was read, and when, in nanoseconds. */
    record Reading(Statistics statistics, boolean answering, long at) {}

    /**
     * Reads for the first time.
     *
     * @param nanos a clock that never goes back, in nanoseconds
     * @param onNew is told of each later reading, by the thread that made it, before anybody gets it from that thread
     */
    Readings(Belay belay, LongSupplier nanos, Consumer<Reading> onNew) {
        this.belay = belay;
        this.nanos = nanos;
        this.onNew = onNew;
        last = read(belay, nanos.getAsLong());
    }

    private static Reading read(Belay belay, long now) {
        return new Reading(belay.admin().statistics(), belay.admin().health().answering(), now);
    }

    /** Returns the last reading, or a new one if that is too old. */
    Reading get() {
        Reading known = last;
        long now = nanos.getAsLong();
        if (now - known.at() < AGE) {
            return known;
        }
        Reading fresh;
        // a counter may not go back, as it would if an older reading replaced a newer one
        try (var held = lock.hold()) {
            if (last != known) {
                return last;
            }
            fresh = read(belay, now);
            last = fresh;
        }
        onNew.accept(fresh); // without the lock, as the registry has locks of its own
        return fresh;
    }
}
