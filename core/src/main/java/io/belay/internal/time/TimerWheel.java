package io.belay.internal.time;

import io.belay.internal.time.Timers.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a client in the order of their instants, and of their scheduling where these are equal. Not
 * thread-safe.
 *
 * <p>Most timers are set seconds ahead and are moved or cancelled before they fire, so their exact order is never
 * asked for. Such timers wait in a hashed timing wheel (Varghese and Lauck, 1987): time is cut into ticks, a slot
 * holds the timers of every {@value #SLOTS}th tick as a linked list, and to put one there or to take it out is a
 * matter of a few pointers, however many there are. Only when its tick has come is a timer sorted into a
 * {@link TimerHeap}. Unlike in the paper nothing happens at each tick: the wheel is turned when somebody asks what is
 * due, by as much as it takes.
 */
final class TimerWheel {
    /** A tick of 2^27 nanoseconds, 134 ms, so that a turn is longer than most leases. */
    private static final int TICK = 27;

    private static final int SLOTS = 1 << 9;

    /** The timers of the present tick and of all before it. */
    private final TimerHeap near = new TimerHeap();

    /** The timers of later ticks; the first one of each list. */
    private final @Nullable Timer[] slots = new Timer[SLOTS];

    private long present;
    private long count;
    private int size;

    TimerWheel(long now) {
        present = now >> TICK;
    }

    int size() {
        return size;
    }

    /** Puts a timer in that is not there. */
    void add(Timer timer, long at) {
        timer.at = at;
        timer.order = count++;
        timer.scheduled = true;
        size++;
        put(timer);
    }

    /** Takes a timer out that is there. */
    void remove(Timer timer) {
        timer.scheduled = false;
        size--;
        if (isNear(timer)) {
            near.remove(timer);
        } else {
            unlink(timer);
        }
    }

    /** Takes the first timer out if its instant has come. */
    @Nullable
    Timer due(long now) {
        turn(now >> TICK);
        Timer first = near.first();
        if (first == null || first.at - now > 0) {
            return null;
        }
        remove(first);
        return first;
    }

    /** Returns the instant of the first timer, or {@link Long#MAX_VALUE}. */
    long next() {
        Timer first = near.first();
        if (first != null) {
            return first.at;
        }
        long next = Long.MAX_VALUE;
        for (long tick = present + 1; size > 0 && next == Long.MAX_VALUE && tick <= present + SLOTS; tick++) {
            next = first(slot(tick), tick);
        }
        if (size == 0 || next != Long.MAX_VALUE) {
            return next;
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            next = Math.min(next, first(slot, Long.MAX_VALUE)); // all are more than a turn away
        }
        return next;
    }

    /** Returns an instant not after {@link #next}, at which to look again: found without looking at every timer. */
    long soon() {
        Timer first = near.first();
        if (first != null) {
            return first.at;
        }
        for (long tick = present + 1; size > 0 && tick <= present + SLOTS; tick++) {
            if (slots[slot(tick)] != null) {
                return tick << TICK;
            }
        }
        return Long.MAX_VALUE;
    }

    private long first(int slot, long latestTick) {
        long first = Long.MAX_VALUE;
        for (Timer timer = slots[slot]; timer != null; timer = timer.next) {
            if (timer.at >> TICK <= latestTick) {
                first = Math.min(first, timer.at);
            }
        }
        return first;
    }

    private void turn(long to) {
        long from = Math.max(present, to - SLOTS);
        present = Math.max(present, to);
        for (long tick = from + 1; tick <= to; tick++) {
            Timer timer = slots[slot(tick)];
            while (timer != null) {
                Timer next = timer.next;
                if (isNear(timer)) {
                    unlink(timer);
                    put(timer);
                }
                timer = next;
            }
        }
    }

    private boolean isNear(Timer timer) {
        return timer.at >> TICK <= present;
    }

    private static int slot(long tick) {
        return (int) tick & (SLOTS - 1);
    }

    private void put(Timer timer) {
        if (isNear(timer)) {
            near.add(timer);
            return;
        }
        int slot = slot(timer.at >> TICK);
        Timer first = slots[slot];
        timer.next = first;
        if (first != null) {
            first.previous = timer;
        }
        slots[slot] = timer;
    }

    private void unlink(Timer timer) {
        if (timer.previous == null) {
            slots[slot(timer.at >> TICK)] = timer.next;
        }
        timer.unlink();
    }
}
