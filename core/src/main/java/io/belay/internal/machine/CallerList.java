package io.belay.internal.machine;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Callers, first come first served; one that leaves is unlinked in constant time. */
final class CallerList {
    private @Nullable Caller first;
    private @Nullable Caller last;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Caller first() {
        return Objects.requireNonNull(first);
    }

    /** Returns the first caller whose time is not over; null if there is none. */
    @Nullable
    Caller firstInTime() {
        Caller caller = first;
        while (caller != null && caller.due != null) {
            caller = caller.after;
        }
        return caller;
    }

    void add(Caller caller) {
        caller.before = last;
        if (last == null) {
            first = caller;
        } else {
            last.after = caller;
        }
        last = caller;
        caller.list = this;
        size++;
    }

    void addFirst(Caller caller) {
        caller.after = first;
        if (first == null) {
            last = caller;
        } else {
            first.before = caller;
        }
        first = caller;
        caller.list = this;
        size++;
    }

    /** Puts a caller in the place of another. */
    void replace(Caller caller, Caller next) {
        next.before = caller.before;
        next.after = caller.after;
        if (next.before == null) {
            first = next;
        } else {
            next.before.after = next;
        }
        if (next.after == null) {
            last = next;
        } else {
            next.after.before = next;
        }
        next.list = this;
        forget(caller);
    }

    void remove(Caller caller) {
        if (caller.before == null) {
            first = caller.after;
        } else {
            caller.before.after = caller.after;
        }
        if (caller.after == null) {
            last = caller.before;
        } else {
            caller.after.before = caller.before;
        }
        forget(caller);
        size--;
    }

    private static void forget(Caller caller) {
        caller.before = null;
        caller.after = null;
        caller.list = null;
    }

    /** Does something for each, which may take that one out. */
    void forEach(Consumer<? super Caller> action) {
        for (Caller caller = first; caller != null; ) {
            Caller next = caller.after;
            action.accept(caller);
            caller = next;
        }
    }
}
