package io.belay;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The counts of a client, at one moment.
 *
 * @param locks the counts by family: the namespace of a name and its first part, up to the next colon, unless
 *     {@link BelayOptions#withFamilies} says otherwise; at most 100, and {@link #OTHER} for all others
 * @param requests the requests to the store, by what was asked for; each renewal of a chunk counts
 * @param outages how often the store began to fail
 * @param lostPushes how often a waiter learned by asking what the store should have told it
 */
public record Statistics(
        Map<String, LockStatistics> locks, Map<RequestKind, Requests> requests, long outages, long lostPushes) {
    /** The family of all names whose own would be one too many. */
    public static final String OTHER = "other";

    /** Copies the maps. */
    public Statistics {
        locks = Map.copyOf(Objects.requireNonNull(locks, "locks"));
        requests = Map.copyOf(Objects.requireNonNull(requests, "requests"));
    }

    /**
     * The requests of one kind; all of it only grows.
     *
     * @param answered how many were answered
     * @param time how long their answers have taken together
     * @param failed how many failed, or were not answered in their time
     */
    public record Requests(long answered, Duration time, long failed) {
        public Requests {
            Objects.requireNonNull(time, "time");
        }
    }
}
