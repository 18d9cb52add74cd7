package io.belay.internal.claim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The enters of a client that were given up before the store answered them, counted by resource. While there is one,
 * the client's next enter of that resource waits inside the client. So however long a store is silent, and however
 * many waiters give up meanwhile, the store finds little to do when it answers again, and little is left behind
 * there. Thread-safe.
 */
final class Backlog {
    /** Somebody whose enter may have to wait. */
    interface Entrant {
        /** Sends the enter, which was delayed; called without a lock. */
        void goOn();
    }

    private static final class Unanswered {
        private int number;
        /** The claims whose enters wait, in the order in which they came. */
        private final Set<Entrant> delayed = new LinkedHashSet<>();
    }

    private final ConcurrentHashMap<String, Unanswered> byResource = new ConcurrentHashMap<>();

    /** Counts an enter that was given up. */
    void add(String resource) {
        byResource.compute(resource, (name, present) -> {
            Unanswered unanswered = present == null ? new Unanswered() : present;
            unanswered.number++;
            return unanswered;
        });
    }

    /** Takes a given-up enter off the count once it is answered, or need not be any more; called without a lock. */
    void remove(String resource) {
        List<Entrant> freed = new ArrayList<>(0);
        byResource.computeIfPresent(resource, (name, unanswered) -> {
            if (--unanswered.number > 0) {
                return unanswered;
            }
            freed.addAll(unanswered.delayed);
            return null;
        });
        freed.forEach(Entrant::goOn);
    }

    /** Returns whether the claim's enter is to wait; {@link Entrant#goOn} is called when it need not any more. */
    boolean delays(String resource, Entrant claim) {
        return !byResource.isEmpty()
                && byResource.computeIfPresent(resource, (name, unanswered) -> {
                            unanswered.delayed.add(claim);
                            return unanswered;
                        })
                        != null;
    }

    /** Forgets a claim that has ended before its enter was sent. */
    void forget(String resource, Entrant claim) {
        byResource.computeIfPresent(resource, (name, unanswered) -> {
            unanswered.delayed.remove(claim);
            return unanswered;
        });
    }

    int size() {
        return byResource.size();
    }
}
