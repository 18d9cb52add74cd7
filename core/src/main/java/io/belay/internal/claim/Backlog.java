package io.belay.internal.claim;

import io.belay.internal.time.Workers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The enters of a client that were given up before the store answered them, counted by resource. While there is one,
 * the client's next enter of that resource waits inside the client. So however long a store is silent, and however
 * many waiters give up meanwhile, the store finds little to do when it answers again, and little is left behind
 * there. Thread-safe.
 */
public final class Backlog {
    private static final class Unanswered {
        private int number;
        /** The claims whose enters wait, in the order in which they came. */
        private final Map<Object, Runnable> delayed = new LinkedHashMap<>();
    }

    final ConcurrentHashMap<String, Unanswered> byResource = new ConcurrentHashMap<>();

    /** Counts an enter that was given up. */
    public void add(String resource) {
        byResource.compute(resource, (name, present) -> {
            Unanswered unanswered = present == null ? new Unanswered() : present;
            unanswered.number++;
            return unanswered;
        });
    }

    /** Takes a given-up enter off the count once it is answered, or need not be any more; called without a lock. */
    public void remove(String resource) {
        Unanswered counted = byResource.get(resource); // which stays there until the last is taken off
        Unanswered left = byResource.computeIfPresent(resource, (name, its) -> --its.number > 0 ? its : null);
        if (counted != null && left == null) {
            counted.delayed
                    .values()
                    .forEach(send -> Workers.perform(send, "An enter that was delayed could not be sent yet"));
        }
    }

    /** Returns whether a claim's enter is to wait; {@code send} is run when it need not any more, without a lock. */
    public boolean delays(String resource, Object claim, Runnable send) {
        return !byResource.isEmpty()
                && byResource.computeIfPresent(resource, (name, unanswered) -> {
                            unanswered.delayed.put(claim, send);
                            return unanswered;
                        })
                        != null;
    }

    /** Forgets a claim that has ended before its enter was sent. */
    public void forget(String resource, Object claim) {
        byResource.computeIfPresent(resource, (name, unanswered) -> {
            unanswered.delayed.remove(claim);
            return unanswered;
        });
    }
}
