package io.belay.internal;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to happen later: one ordered set for a whole client, watched by one keeper thread. A cancelled timer leaves
 * nothing behind.
 */
final class Timers {
    private static final Logger LOG = LoggerFactory.getLogger(Timers.class);

    /** Something that happens at an instant. It is scheduled at most once at a time. */
    abstract static class Timer {
        private long at;
        private long order;
        private boolean scheduled;

        /** Runs on the keeper's thread; must not block. */
        abstract void fire(long now);
    }

    private static final Comparator<Timer> BY_INSTANT = (a, b) -> {
        long difference = a.at - b.at;
        return difference != 0 ? Long.signum(difference) : Long.compare(a.order, b.order);
    };

    private final Time time;
    private final Runnable afterEachRun;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeSet<Timer> timers = new TreeSet<>(BY_INSTANT);
    private long count;
    private long sleepsUntil;
    private boolean sleeps;
    private volatile boolean stopped;
    private @Nullable Thread keeper;

    /** {@code afterEachRun} is called by the keeper after it has fired what was due, to send what came together. */
    Timers(Time time, Runnable afterEachRun) {
        this.time = time;
        this.afterEachRun = afterEachRun;
    }

    void start(String name) {
        Thread thread = new Thread(this::keep, name);
        thread.setDaemon(true);
        keeper = thread;
        thread.start();
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(keeper);
    }

    /** Schedules the timer, or moves it to another instant; {@link Long#MAX_VALUE} cancels it. */
    void schedule(Timer timer, long at) {
        boolean wake;
        lock.lock();
        try {
            if (timer.scheduled && timer.at == at) {
                return;
            }
            remove(timer);
            if (at == Long.MAX_VALUE) {
                return;
            }
            timer.at = at;
            timer.order = count++;
            timer.scheduled = true;
            timers.add(timer);
            wake = sleeps && at - sleepsUntil < 0;
            if (wake) {
                sleeps = false;
            }
        } finally {
            lock.unlock();
        }
        if (wake) {
            LockSupport.unpark(keeper);
        }
    }

    void cancel(Timer timer) {
        schedule(timer, Long.MAX_VALUE);
    }

    private void remove(Timer timer) {
        if (timer.scheduled) {
            timers.remove(timer);
            timer.scheduled = false;
        }
    }

    /** How many timers are scheduled. */
    int size() {
        lock.lock();
        try {
            return timers.size();
        } finally {
            lock.unlock();
        }
    }

    /** Fires all that is due, and returns the instant of the next one, or {@link Long#MAX_VALUE}. */
    long run() {
        long now = time.nanos();
        for (Timer due = due(now); due != null; due = due(now)) {
            try {
                due.fire(now);
            } catch (RuntimeException e) {
                LOG.error("A timer failed; the others go on", e);
            }
        }
        afterEachRun.run();
        lock.lock();
        try {
            return timers.isEmpty() ? Long.MAX_VALUE : timers.first().at;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Timer due(long now) {
        lock.lock();
        try {
            if (timers.isEmpty() || timers.first().at - now > 0) {
                return null;
            }
            Timer first = timers.first();
            remove(first);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        while (!stopped) {
            run();
            long now = time.nanos();
            lock.lock();
            try {
                sleepsUntil = timers.isEmpty() ? now + 60_000_000_000L : timers.first().at;
                sleeps = true;
            } finally {
                lock.unlock();
            }
            if (sleepsUntil - now > 0 && !stopped) {
                LockSupport.parkNanos(this, sleepsUntil - now);
            }
        }
    }
}
