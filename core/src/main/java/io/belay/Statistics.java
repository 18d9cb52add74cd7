package io.belay;

import java.util.Map;
import java.util.Objects;

/**
 * The counts of a client, at one moment.
 *
 * @param locks the counts by family: the namespace of a name and its first part, up to the next colon, unless
 *     {@link BelayOptions#withFamilies} says otherwise; at most 100, and {@link #OTHER} for all others
 * @param requests how many requests the store has answered, by kind: "enter", "leave", "renew", "inspect" and the like
 * @param failures how many requests failed, by kind
 * @param outages how often the store began to fail
 * @param lostPushes how often a waiter learned by asking what the store should have told it
 */
public record Statistics(
        Map<String, LockStatistics> locks,
        Map<String, Long> requests,
        Map<String, Long> failures,
        long outages,
        long lostPushes) {
    /** The family of all names whose own would be one too many. */
    public static final String OTHER = "other";

    /** Copies the maps. */
    public Statistics {
        locks = Map.copyOf(Objects.requireNonNull(locks, "locks"));
        requests = Map.copyOf(Objects.requireNonNull(requests, "requests"));
        failures = Map.copyOf(Objects.requireNonNull(failures, "failures"));
    }
}
