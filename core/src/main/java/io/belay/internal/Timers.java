package io.belay.internal;

import io.belay.spi.Log;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen later: one {@link TimerWheel} for a whole client, watched by one keeper thread. A cancelled timer
 * leaves nothing behind.
 */
final class Timers {
    private static final Log LOG = Log.of(Timers.class);
    private static final long LONGEST_SLEEP = 60_000_000_000L;

    /** Something that happens at an instant. It is scheduled at most once at a time. */
    abstract static class Timer {
        // What follows is the wheel's: in a slot a list, in the heap a list of the trees below the same timer.
        long at;
        long order;
        boolean scheduled;

        @Nullable
        Timer next;

        /** In the heap, for the first tree of a list, what these are below. */
        @Nullable
        Timer previous;

        @Nullable
        Timer child;

        /** Takes the timer off what is before it and after it. */
        void unlink() {
            if (previous != null && previous.child == this) {
                previous.child = next;
            } else if (previous != null) {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
            previous = null;
            next = null;
        }

        /** Runs on the keeper's thread; must not block. */
        abstract void fire(long now);
    }

    private final Time time;
    private final Threads threads;
    private final Runnable afterEachRun;
    private final ReentrantLock lock = new ReentrantLock();
    private final TimerWheel wheel;
    private long sleepsUntil;
    private boolean sleeps;
    private volatile boolean stopped;
    private volatile @Nullable Thread keeper;

    /** {@code afterEachRun} is called by the keeper after it has fired what was due, to send what came together. */
    Timers(Time time, Threads threads, Runnable afterEachRun) {
        this.time = time;
        this.threads = threads;
        this.afterEachRun = afterEachRun;
        wheel = new TimerWheel(time.nanos());
    }

    void start(String name) {
        keeper = threads.start(name, this::keep);
    }

    void stop() {
        stopped = true;
        threads.unpark(keeper);
    }

    /** Schedules the timer, or moves it to another instant; {@link Long#MAX_VALUE} cancels it. */
    void schedule(Timer timer, long at) {
        boolean wake;
        lock.lock();
        try {
            if (timer.scheduled && timer.at == at) {
                return;
            }
            if (timer.scheduled) {
                wheel.remove(timer);
            }
            if (at == Long.MAX_VALUE) {
                return;
            }
            wheel.add(timer, at);
            wake = sleeps && at - sleepsUntil < 0;
            if (wake) {
                sleeps = false;
            }
        } finally {
            lock.unlock();
        }
        if (wake) {
            threads.unpark(keeper);
        }
    }

    void cancel(Timer timer) {
        schedule(timer, Long.MAX_VALUE);
    }

    /** How many timers are scheduled. */
    int size() {
        lock.lock();
        try {
            return wheel.size();
        } finally {
            lock.unlock();
        }
    }

    /** Fires all that is due, and returns the instant of the next one, or {@link Long#MAX_VALUE}. */
    long run() {
        fire();
        lock.lock();
        try {
            return wheel.next();
        } finally {
            lock.unlock();
        }
    }

    private void fire() {
        long now = time.nanos();
        for (Timer due = due(now); due != null; due = due(now)) {
            try {
                due.fire(now);
            } catch (RuntimeException e) {
                LOG.error("A timer failed; the others go on", e);
            }
        }
        afterEachRun.run();
    }

    private @Nullable Timer due(long now) {
        lock.lock();
        try {
            return wheel.due(now);
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        while (!stopped) {
            fire();
            long now = time.nanos();
            lock.lock();
            try {
                sleepsUntil = Math.min(wheel.soon(), now + LONGEST_SLEEP);
                sleeps = true;
            } finally {
                lock.unlock();
            }
            if (sleepsUntil - now > 0 && !stopped) {
                threads.parkNanos(this, sleepsUntil - now);
            }
        }
    }
}
