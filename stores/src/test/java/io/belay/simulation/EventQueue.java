package io.belay.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is to happen, in the order of its instants, and of its coming where these are equal: a binary heap. */
final class EventQueue {
    /** Something that happens: an actor goes on, if it still waits for that, or else what is to be run. */
    static final class Event {
        final long at;
        private final long order;

        @Nullable
        final Actor actor;

        final int version;

        @Nullable
        final Runnable what;

        Event(long at, long order, @Nullable Actor actor, int version, @Nullable Runnable what) {
            this.at = at;
            this.order = order;
            this.actor = actor;
            this.version = version;
            this.what = what;
        }

        private boolean isBefore(Event other) {
            return at != other.at ? at < other.at : order < other.order;
        }
    }

    private Event[] heap = new Event[256];
    private int size;
    private long count;

    void add(long at, Actor actor) {
        add(new Event(at, count++, actor, actor.version, null));
    }

    void add(long at, Runnable what) {
        add(new Event(at, count++, null, 0, what));
    }

    private void add(Event event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0 && event.isBefore(heap[(at - 1) >> 1])) {
            heap[at] = heap[(at - 1) >> 1];
            at = (at - 1) >> 1;
        }
        heap[at] = event;
    }

    /** Takes the first event out; null if there is none. */
    @Nullable
    Event poll() {
        if (size == 0) {
            return null;
        }
        Event first = heap[0];
        Event last = heap[--size];
        heap[size] = null;
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(last)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        if (size > 0) {
            heap[at] = last;
        }
        return first;
    }
}
