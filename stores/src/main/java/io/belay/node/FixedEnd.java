package io.belay.node;

import io.belay.support.Mutex;
import org.jspecify.annotations.Nullable;

/**
 * The fixed end of a claim, which may be moved. Its changes are numbered: answers come in any order, and the latest change
 * counts. Thread-safe.
 */
final class FixedEnd {
    private final Mutex lock = new Mutex();
    private volatile @Nullable Deadline lease;
    private int made;
    private int asked;
    /** The lease with the nearest end that was asked for as the last change: an attempt without an answer may have made it. */
    private @Nullable Deadline nearest;

    /** Returns the lease that has begun; null if none has. */
    @Nullable
    Deadline lease() {
        return lease;
    }

    /** Returns the later one of the lease that has begun and the one to which it may have been moved; null if none has begun. */
    @Nullable
    Deadline latest() {
        try (var held = lock.hold()) {
            Deadline begun = lease;
            Deadline next = asked > made ? nearest : null;
            return begun == null || next == null || next.end() - begun.end() <= 0 ? begun : next;
        }
    }

    /** Notes that a change is asked for, perhaps once more. */
    void asked(int number, Deadline wanted) {
        try (var held = lock.hold()) {
            Deadline before = number == asked ? nearest : null;
            if (number >= asked && (before == null || wanted.end() - before.at(wanted.asked()) < 0)) {
                asked = number;
                nearest = wanted;
            }
        }
    }

    /** Notes how many changes the node says it has seen: if they are as many as were asked for, the last of them is made. */
    void seen(int changes) {
        try (var held = lock.hold()) {
            if (asked > made && changes >= asked) {
                made = asked;
                lease = nearest;
            }
        }
    }

    /**
     * Notes that a change was made.
     *
     * @param begun the lease that has begun; null if it was found to be that of an earlier attempt
     */
    void made(int number, @Nullable Deadline begun) {
        try (var held = lock.hold()) {
            Deadline now = begun == null && number == asked ? nearest : begun;
            boolean mayBegin = number > 0 || lease == null; // of copies of one request one begins the lease
            if (now != null && number >= made && mayBegin) {
                made = number;
                lease = now;
            }
        }
    }
}
