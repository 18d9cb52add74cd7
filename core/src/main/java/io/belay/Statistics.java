package io.belay;

import java.time.Duration;
import java.util.Map;

/**
 * The counts of a client, at one moment.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface Statistics {
    /** The family of all names whose own would be one too many. */
    String OTHER = "other";

    /**
     * Returns the counts by family: the namespace of a name and its first part, up to the next colon, unless {@link
     * BelayOptions#withFamilies} says otherwise; at most 100, and {@link #OTHER} for all others.
     */
    Map<String, LockStatistics> locks();

    /** Returns the requests to the store, by what was asked for; each renewal of a chunk counts. */
    Map<RequestKind, Requests> requests();

    /** Returns how often the store began to fail. */
    long outages();

    /** Returns how often a waiter learned by asking what the store should have told it. */
    long lostPushes();

    /**
     * The requests of one kind; all of it only grows.
     *
     * <p>Only Belay implements this; methods may be added.
     */
    interface Requests {
        /** Returns how many were answered. */
        long answered();

        /** Returns how long their answers have taken together. */
        Duration time();

        /** Returns how many failed, or were not answered in their time. */
        long failed();
    }
}
