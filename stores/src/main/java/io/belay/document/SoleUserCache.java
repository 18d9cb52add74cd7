package io.belay.document;

import io.belay.support.Moment;
import io.belay.support.Mutex;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A cache of resources on which nobody but this client had a claim when it wrote them last. For a second the client
 * need not read them again: another one that has been there since has changed the version, so that the write is refused
 * and the resource is read after all; and as no claim of another's can expire, nothing depends on the database's very
 * instant. Thread-safe.
 */
final class SoleUserCache {
    /** The most resources that are kept, since many a name is not used again. */
    private static final int MOST = 64;

    private static final long TRUST = TimeUnit.SECONDS.toNanos(1);

    /**
     * A resource as this client wrote it.
     *
     * @param time the database's clock when it was last read, in microseconds
     * @param at an instant before that, so that a time that is reckoned from it is not behind
     */
    record Known(Documents.Found found, long time, Moment at) {
        /** Returns the database's clock now, or a little later, in microseconds. */
        long now() {
            return time + TimeUnit.NANOSECONDS.toMicros(at.ago());
        }
    }

    private final boolean worth;
    private final Mutex lock = new Mutex();
    private final Map<String, Known> known = new LinkedHashMap<>();

    /** @param worth whether to do without a reading is worth while; if not, nothing is known */
    SoleUserCache(boolean worth) {
        this.worth = worth;
    }

    /** Returns what is known of a resource, and forgets it; null if the resource is to be read. */
    @Nullable
    Known take(String resource) {
        try (var held = lock.hold()) {
            Known taken = known.remove(resource);
            boolean trusted =
                    taken != null && taken.at().asleep() == 0 && taken.at().ago() < TRUST;
            return trusted ? taken : null;
        }
    }

    void put(String resource, Known value) {
        if (!worth) {
            return;
        }
        try (var held = lock.hold()) {
            known.put(resource, value);
            if (known.size() > MOST) {
                Iterator<Known> eldest = known.values().iterator();
                eldest.next();
                eldest.remove();
            }
        }
    }

    /** Forgets all: another server may have taken over, whose clock is another one. */
    void forget() {
        try (var held = lock.hold()) {
            known.clear();
        }
    }
}
