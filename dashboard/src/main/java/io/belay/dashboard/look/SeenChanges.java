package io.belay.dashboard.look;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The changes that were seen from one reading to the next, the last few hundred. For one thread. */
final class SeenChanges {
    private static final int KEPT = 200;

    /** What one reading may add: where more happens nobody reads along. */
    private static final int AT_ONCE = 40;

    /** The kinds of changes. */
    enum Kind {
        /** A lock that was free is held. */
        TAKEN,
        /** It is held by another than before. */
        HANDED_OVER,
        /** Nobody holds it any more. */
        FREED,
        /** Its hold was ended from a page. */
        ENDED,
        /** The store does not answer. */
        AWAY,
        /** The store answers again. */
        BACK,
        /** More happened at once than is listed. */
        MORE
    }

    /**
     * A change.
     *
     * @param number its number, which rises
     * @param atMillis when it was seen, in milliseconds since 1970
     * @param kind what has happened
     * @param lock the lock; empty where it is about the store
     * @param by who has it now, or what else there is to say
     */
    record Change(long number, long atMillis, Kind kind, String lock, String by) {}

    private final Deque<Change> kept = new ArrayDeque<>();
    private long number;
    private int left = AT_ONCE;
    private int more;

    /** Compares what was known of a lock with what was read; either may be of a lock that is free. */
    void compare(SeenLock before, SeenLock now, long atMillis) {
        if (now.holders() == 0) {
            if (before.holders() > 0) {
                add(atMillis, Kind.FREED, now.name(), before.holder().toString());
            }
        } else if (before.holders() == 0) {
            add(atMillis, Kind.TAKEN, now.name(), now.holder().toString());
        } else if (before.isHandedOver(now.token()) && !before.holder().isThread(now.holder())) {
            add(atMillis, Kind.HANDED_OVER, now.name(), now.holder().toString());
        }
    }

    /** Adds a change, unless too much happens at once. */
    void add(long atMillis, Kind kind, String lock, String by) {
        if (left == 0) {
            more++;
            return;
        }
        left--;
        keep(new Change(++number, atMillis, kind, lock, by));
    }

    /** Ends a reading: what was too much for it is counted. */
    void endReading(long atMillis) {
        if (more > 0) {
            keep(new Change(++number, atMillis, Kind.MORE, "", Integer.toString(more)));
        }
        left = AT_ONCE;
        more = 0;
    }

    private void keep(Change change) {
        kept.addLast(change);
        if (kept.size() > KEPT) {
            kept.removeFirst();
        }
    }

    /** Returns the last of them, the newest first. */
    List<Change> newest(int most) {
        List<Change> newest = new ArrayList<>(kept);
        Collections.reverse(newest);
        return newest.subList(0, Math.min(most, newest.size()));
    }
}
