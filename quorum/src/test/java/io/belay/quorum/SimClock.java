package io.belay.quorum;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Time that passes from event to event. */
final class SimClock implements Clock {
    private record Event(long at, long order, Runnable task) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (one, other) -> one.at != other.at ? Long.compare(one.at, other.at) : Long.compare(one.order, other.order));
    private long now = 1_000_000_000_000L;
    private long asleepMillis;
    private long count;
    /** The number of timers that clients set until one cannot be set; 0 for none. */
    private int untilError;

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long wallMillis() {
        return now / 1_000_000 + asleepMillis;
    }

    /** Returns the time of those that are not suspended, in microseconds. */
    long micros() {
        return now / 1000 + asleepMillis * 1000;
    }

    @Override
    public void later(long nanos, Runnable task) {
        at(now + Math.max(0, nanos), task);
    }

    void at(long nanos, Runnable task) {
        events.add(new Event(Math.max(now, nanos), count++, task));
    }

    /** Runs whatever happens within that many milliseconds. */
    void run(long millis) {
        long end = now + millis * 1_000_000;
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.remove();
            now = Math.max(now, next.at);
            next.task.run();
        }
        now = end;
    }

    /** Lets that many milliseconds pass in which nothing happens, as while a process is stopped; what was due comes late. */
    void pause(long millis) {
        now += millis * 1_000_000;
    }

    /** Throws an Error, as for want of memory, where a client sets a timer that is so manieth from now on. */
    void failTimer(int which) {
        untilError = which;
    }

    /** Returns whether that Error has been thrown, or none was to be. */
    boolean hasFailed() {
        return untilError <= 0;
    }

    /** Suspends the machine of all clients for that long: only the wall clock goes on, and the members' clocks. */
    void suspend(long millis) {
        asleepMillis += millis;
    }

    @Nullable
    Error thrownAtClose;

    @Override
    public void close() {}

    /** Returns this clock as one client has it, whose timers end with it. */
    Clock ofClient() {
        return new Clock() {
            private boolean closed;

            @Override
            public long nanos() {
                return now;
            }

            @Override
            public long wallMillis() {
                return SimClock.this.wallMillis();
            }

            @Override
            public void later(long nanos, Runnable task) {
                if (untilError-- == 1) {
                    throw new OutOfMemoryError("made up");
                }
                SimClock.this.later(nanos, () -> {
                    if (!closed) {
                        task.run();
                    }
                });
            }

            @Override
            public void close() {
                closed = true;
                if (thrownAtClose != null) {
                    throw thrownAtClose;
                }
            }
        };
    }
}
