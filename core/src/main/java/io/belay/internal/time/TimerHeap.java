package io.belay.internal.time;

import io.belay.internal.time.Timers.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order of their instants, and of their scheduling where these are equal: a pairing heap (Fredman,
 * Sedgewick, Sleator and Tarjan, 1986), whose links are in the timers themselves. Not thread-safe.
 *
 * <p>Most timers are set seconds ahead and are moved or cancelled before they fire, so their exact order is never asked
 * for: to put one in is a single comparison, and so is, mostly, to take it out, however many there are.
 */
final class TimerHeap {
    private @Nullable Timer first;
    private long count;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Timer first() {
        return first;
    }

    /** Puts a timer in that is not there. */
    void add(Timer timer, long at) {
        timer.at = at;
        timer.order = count++;
        timer.scheduled = true;
        size++;
        first = first == null ? timer : meld(first, timer);
    }

    /** Takes a timer out that is there. */
    void remove(Timer timer) {
        timer.scheduled = false;
        size--;
        Timer below = pair(timer.child);
        timer.child = null;
        if (timer == first) {
            first = below;
            return;
        }
        timer.unlink();
        if (below != null && first != null) {
            first = meld(first, below);
        }
    }

    /** Melds two trees: one becomes the first child of the other's root, which is returned. */
    private static Timer meld(Timer a, Timer b) {
        boolean inOrder = isBefore(a, b);
        Timer root = inOrder ? a : b;
        Timer child = inOrder ? b : a;
        Timer next = root.child;
        child.next = next;
        child.previous = root;
        if (next != null) {
            next.previous = child;
        }
        root.child = child;
        return root;
    }

    /** Makes one tree of a list: melds pairs, from the first to the last, and then the pairs together, back again. */
    private static @Nullable Timer pair(@Nullable Timer list) {
        Timer pairs = null;
        for (Timer a = list; a != null; ) {
            Timer b = a.next;
            Timer rest = b == null ? null : b.next;
            Timer both = b == null ? a : meld(a, b);
            both.previous = null;
            both.next = pairs;
            pairs = both;
            a = rest;
        }
        Timer all = null;
        while (pairs != null) {
            Timer rest = pairs.next;
            pairs.next = null;
            all = all == null ? pairs : meld(all, pairs);
            pairs = rest;
        }
        return all;
    }

    private static boolean isBefore(Timer a, Timer b) {
        long difference = a.at - b.at;
        return difference != 0 ? difference < 0 : a.order < b.order;
    }
}
