package io.belay.internal.claim;

import io.belay.SlowRequest;
import io.belay.StoreHealth;
import io.belay.internal.time.Time;
import io.belay.spi.Log;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The failures and the slow answers of a client's store, as its requests show them. They are told now and then, as a store of
 * several servers may answer and fail by turns. Thread-safe; of two failures at the same instant both may be counted as the first.
 */
final class Outages {
    // The name by which users may have set up their logs.
    private static final Log LOG = Log.of("io.belay.internal.Engine");

    private final Time time;
    private final Events events;
    private final LongAdder count = new LongAdder();
    private volatile @Nullable String failure;
    private volatile long since;
    private volatile @Nullable SlowRequest lastSlow;
    /** True while a failure was told and its end was not. */
    private volatile boolean told;

    Outages(Time time, Events events) {
        this.time = time;
        this.events = events;
    }

    /** Notes that a request failed. */
    void failed(String message) {
        if (failure == null) {
            since = time.nanos();
            count.increment();
        }
        failure = message;
        if (events.warn(LOG, "store", "", "The store fails: " + message) && !told) {
            told = true;
            events.storeAway(message);
        }
    }

    /** Notes that a request was answered. */
    void answered() {
        String last = failure;
        if (last != null) {
            long lasted = lasted();
            failure = null;
            if (told) {
                told = false;
                LOG.info("The store answers again");
                events.storeBack(last, lasted);
            }
        }
    }

    /** Notes that an answer has taken long. */
    void slow(SlowRequest slow) {
        lastSlow = slow;
        String text = "The store took " + slow.took().toMillis() + " ms to answer a request ("
                + slow.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")";
        if (events.warn(LOG, "slow", "", text)) {
            events.tell(to -> to.slowRequest(slow));
        }
    }

    /** Returns the last failure; empty if the last request was answered. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns how often the store began to fail. */
    long count() {
        return count.sum();
    }

    StoreHealth health() {
        Optional<String> why = failure();
        Duration failing = Duration.ofNanos(why.isEmpty() ? 0 : lasted());
        return new StoreHealth(why.isEmpty(), failing, why, Optional.ofNullable(lastSlow));
    }

    /** Returns for how long it has failed. The clock is read last: another thread may note the next failure meanwhile. */
    private long lasted() {
        long began = since;
        return time.nanos() - began;
    }
}
