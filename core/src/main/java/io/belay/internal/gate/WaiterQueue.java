package io.belay.internal.gate;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The waiters of a gate, first come first served; one that gives up is unlinked in constant time. */
final class WaiterQueue {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Waiter first() {
        return Objects.requireNonNull(first);
    }

    /** Returns the first waiter whose time is not over; null if there is none. */
    @Nullable
    Waiter firstInTime() {
        Waiter waiter = first;
        while (waiter != null && waiter.due != null) {
            waiter = waiter.after;
        }
        return waiter;
    }

    void add(Waiter waiter) {
        waiter.before = last;
        if (last == null) {
            first = waiter;
        } else {
            last.after = waiter;
        }
        last = waiter;
        waiter.queue = this;
        size++;
    }

    void addFirst(Waiter waiter) {
        waiter.after = first;
        if (first == null) {
            last = waiter;
        } else {
            first.before = waiter;
        }
        first = waiter;
        waiter.queue = this;
        size++;
    }

    /** Takes the first waiter out and returns it. */
    Waiter poll() {
        Waiter waiter = first();
        remove(waiter);
        return waiter;
    }

    /** Takes the first waiter out that only tries, and returns it; null if there is none. */
    @Nullable
    Waiter pollTry() {
        for (Waiter waiter = first; waiter != null; waiter = waiter.after) {
            if (waiter.request.ifFree()) {
                remove(waiter);
                return waiter;
            }
        }
        return null;
    }

    void forEach(Consumer<Waiter> action) {
        for (Waiter waiter = first; waiter != null; waiter = waiter.after) {
            action.accept(waiter);
        }
    }

    /** Takes the waiter out; returns false if it was not queued. */
    boolean remove(Waiter waiter) {
        if (waiter.queue != this) {
            return false;
        }
        if (waiter.before == null) {
            first = waiter.after;
        } else {
            waiter.before.after = waiter.after;
        }
        if (waiter.after == null) {
            last = waiter.before;
        } else {
            waiter.after.before = waiter.before;
        }
        waiter.before = null;
        waiter.after = null;
        waiter.queue = null;
        size--;
        return true;
    }
}
