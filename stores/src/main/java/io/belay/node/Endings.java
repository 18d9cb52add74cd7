package io.belay.node;

import io.belay.spi.ClaimId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The claims that end by themselves, by their ends. They are looked at when another claim enters, so that they take no timer,
 * however far off their ends are. Thread-safe.
 */
final class Endings {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ClaimId, Ending> known = new HashMap<>();
    private final TreeSet<Ending> inOrder =
            new TreeSet<>(((Comparator<Ending>) (one, other) -> Long.signum(one.end - other.end)) // they may overflow
                    .thenComparing(ending -> ending.id.client())
                    .thenComparing(ending -> ending.id.number()));

    private record Ending(long end, ClaimId id) {}

    /** Notes the end of a claim, in place of the one before, as a {@link System#nanoTime()}. */
    void put(ClaimId id, long end) {
        lock.lock();
        try {
            remove(id);
            Ending ending = new Ending(end, id);
            known.put(id, ending);
            inOrder.add(ending);
        } finally {
            lock.unlock();
        }
    }

    /** Does the same unless an end of the claim is known. */
    void putIfAbsent(ClaimId id, long end) {
        lock.lock();
        try {
            if (!known.containsKey(id)) {
                put(id, end);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes until when a claim may last, by what is known of its end now. */
    void follow(ClaimId id, FixedEnd end) {
        lock.lock(); // before the look: of two notes the later one has seen more
        try {
            Deadline latest = end.latest();
            if (latest != null) {
                put(id, latest.end());
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(ClaimId id) {
        lock.lock();
        try {
            Ending before = known.remove(id);
            if (before != null) {
                inOrder.remove(before);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns a claim that has ended by then; null if there is none. */
    @Nullable
    ClaimId next(long now) {
        lock.lock();
        try {
            if (inOrder.isEmpty() || inOrder.first().end - now > 0) {
                return null;
            }
            ClaimId ended = inOrder.first().id;
            remove(ended);
            return ended;
        } finally {
            lock.unlock();
        }
    }
}
