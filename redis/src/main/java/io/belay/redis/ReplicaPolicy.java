package io.belay.redis;

import java.time.Duration;

/**
 * The number of replicas that are to have a grant before the client is told of it.
 *
 * @param count how many; 0 for not to ask
 * @param timeout how long to wait for them
 * @param refuses whether a grant that fewer have is given back
 */
record ReplicaPolicy(int count, Duration timeout, boolean refuses) {
    static final int MOST = 10;

    static final ReplicaPolicy NONE = new ReplicaPolicy(0, Duration.ofMillis(100));

    /** Makes a policy that takes a grant that fewer have all the same. */
    ReplicaPolicy(int count, Duration timeout) {
        this(count, timeout, false);
    }

    boolean asks() {
        return count > 0;
    }
}
