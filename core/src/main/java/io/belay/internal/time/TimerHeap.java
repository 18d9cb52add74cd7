package io.belay.internal.time;

import io.belay.internal.time.Timers.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order of their instants, and of their scheduling where these are equal: a pairing heap (Fredman,
 * Sedgewick, Sleator and Tarjan, 1986), whose links are in the timers themselves. Timers that are added the last one
 * first, as they come from a slot of the {@link TimerWheel}, become a chain, off which each is taken by a single step.
 */
final class TimerHeap {
    private @Nullable Timer first;

    @Nullable
    Timer first() {
        return first;
    }

    void add(Timer timer) {
        first = first == null ? timer : meld(first, timer);
    }

    /** Takes a timer out that is there. */
    void remove(Timer timer) {
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
