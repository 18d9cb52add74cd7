package io.belay.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The enters of a client that were given up before the store answered them, counted by resource. While there is one, the
 * client's next enter of that resource waits at home: so however long a store is silent, and however many give up
 * meanwhile, it finds little to do when it answers again, and little is left behind there. Thread-safe.
 */
final class Backlog {
    private static final class Unanswered {
        private int number;
        /** In the order in which they came. */
        private final Set<LiveClaim> delayed = new LinkedHashSet<>();
    }

    private final ConcurrentHashMap<String, Unanswered> byResource = new ConcurrentHashMap<>();

    /** One was given up. */
    void add(String resource) {
        byResource.compute(resource, (name, present) -> {
            Unanswered unanswered = present == null ? new Unanswered() : present;
            unanswered.number++;
            return unanswered;
        });
    }

    /** One that was given up is answered, or need not be any more; called without a lock. */
    void remove(String resource) {
        List<LiveClaim> freed = new ArrayList<>(0);
        byResource.computeIfPresent(resource, (name, unanswered) -> {
            if (--unanswered.number > 0) {
                return unanswered;
            }
            freed.addAll(unanswered.delayed);
            return null;
        });
        freed.forEach(LiveClaim::goOn);
    }

    /** Whether the claim's enter is to wait: {@link LiveClaim#goOn} is called when it has to no longer. */
    boolean delays(String resource, LiveClaim claim) {
        return !byResource.isEmpty()
                && byResource.computeIfPresent(resource, (name, unanswered) -> {
                            unanswered.delayed.add(claim);
                            return unanswered;
                        })
                        != null;
    }

    /** A claim that waits is given up. */
    void forget(String resource, LiveClaim claim) {
        byResource.computeIfPresent(resource, (name, unanswered) -> {
            unanswered.delayed.remove(claim);
            return unanswered;
        });
    }

    int size() {
        return byResource.size();
    }
}
