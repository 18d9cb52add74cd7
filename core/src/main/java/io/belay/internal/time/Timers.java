package io.belay.internal.time;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a whole client, which are kept in one {@link Heap} and fired by one thread, the keeper. A
 * cancelled timer leaves nothing behind.
 *
 * <p>Nothing that a timer throws ends the keeper. Should the keeper end all the same, another thread replaces it; and
 * should it be late by more than {@link #AGAIN}, as it has no processor or something holds it up, whoever calls
 * {@link #help} does its work.
 */
public final class Timers {
    private static final Log LOG = Log.of(LogName.CLIENT);
    private static final long LONGEST_SLEEP = 5_000_000_000L;
    /** The time after which what has failed is tried again, and by which the keeper is late, in nanoseconds. */
    public static final long AGAIN = 100_000_000;

    /** An action that happens at an instant. It is scheduled at most once at a time. */
    public abstract static class Timer {
        // What follows is the heap's.
        long at;
        long order;
        /** Where it stands there; {@link Heap#NOWHERE} while it is not scheduled. */
        int place = Heap.NOWHERE;

        /** Makes one that does that when it fires. */
        public static Timer of(Runnable what) {
            return new Timer() {
                @Override
                public void fire(long now) {
                    what.run();
                }
            };
        }

        /**
         * Does what is due, on the keeper's thread or that of one who helps; must not block. If it throws it is called again
         * 100 ms later.
         */
        public abstract void fire(long now);
    }

    private final Time time;
    private final Threads threads;
    private final Runnable afterEachRun;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Heap heap = new Heap();
    private boolean sleeps;

    /** The instant of the next timer, or one before; written under the lock, read by anybody. */
    private volatile long due;

    /** The number of timers that could not be set so far, and how many of these are set again: {@code afterEachRun} sees to the rest soon. */
    public volatile int unset;

    public volatile int setAgain;

    private volatile boolean stopped;
    /** How often it was stopped: the keeper of a former start ends, though another has been started. */
    private volatile int stops;

    private final AtomicBoolean helped = new AtomicBoolean();
    private volatile long toldAt = Long.MIN_VALUE / 2; // that a timer has failed, as one may ten times a second
    private String name = "";
    private volatile @Nullable Thread keeper;

    /** Makes timers; {@code afterEachRun} is called after what was due has fired, to send what came together. */
    public Timers(Time time, Threads threads, Runnable afterEachRun) {
        this.time = time;
        this.threads = threads;
        this.afterEachRun = afterEachRun;
        due = time.nanos() + LONGEST_SLEEP;
    }

    public void start(String threadName) {
        name = threadName;
        stopped = false;
        keeper = startKeeper();
    }

    /** Starts the keeper again after a {@link #stop}, if there was one. */
    public void restart() {
        if (!name.isEmpty()) {
            start(name);
        }
    }

    private Thread startKeeper() {
        int mine = stops;
        return threads.start(name, () -> keep(mine));
    }

    /** Ends the keeper; what is scheduled waits for another {@link #start}. */
    public void stop() {
        stopped = true;
        stops++;
        threads.unpark(keeper);
    }

    /** Schedules the timer, or moves it to another instant; {@link Long#MAX_VALUE} cancels it. */
    public void schedule(Timer timer, long at) {
        boolean wake = false;
        try {
            lock.lock();
            try {
                boolean scheduled = timer.place != Heap.NOWHERE;
                if (scheduled && timer.at == at) {
                    return;
                }
                if (scheduled) {
                    heap.remove(timer);
                }
                if (at != Long.MAX_VALUE) {
                    heap.add(timer, at);
                    if (at - due < 0) {
                        due = at;
                        wake = sleeps;
                        sleeps = false;
                    }
                }
            } finally {
                lock.unlock();
            }
        } catch (Throwable e) { // there may be no memory for one more
            unset++;
            threads.unpark(Thread.currentThread() == keeper ? null : keeper);
            throw e;
        }
        if (wake) {
            threads.unpark(keeper);
        }
    }

    public void cancel(Timer timer) {
        schedule(timer, Long.MAX_VALUE);
    }

    private <T> T locked(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the timer is scheduled, and has yet to begin to fire. */
    public boolean isScheduled(Timer timer) {
        return locked(() -> timer.place != Heap.NOWHERE);
    }

    /** Returns whether there may be timers that could not be set, and are not set again. */
    public boolean isOneUnset() {
        return unset != setAgain;
    }

    /** Returns the number of timers that are scheduled. */
    public int size() {
        return locked(heap.timers::size);
    }

    /** Fires all that is due, and returns the instant of the next timer, or {@link Long#MAX_VALUE}. */
    public long run() {
        fire();
        return locked(this::next);
    }

    private long next() {
        Timer first = heap.first();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    /** Does the keeper's work if that is late at that instant; for threads that call in. */
    public void help(long now) {
        if (now - due > AGAIN && keeper != null && !stopped && helped.compareAndSet(false, true)) {
            try {
                fireAll();
                look();
                replace();
            } finally {
                helped.set(false);
            }
        }
    }

    private void fire() {
        long now = time.nanos();
        for (Timer next = due(now); next != null; next = due(now)) {
            fire(next, now);
        }
        afterEachRun.run();
    }

    void fire(Timer timer, long now) {
        try { // without a lambda, for which there may be no memory
            fireOrAgain(timer, now);
        } catch (Throwable e) { // whatever it is: nobody else would renew what others hold
            if (now - toldAt >= LONGEST_SLEEP) {
                toldAt = now;
                LOG.error("A timer failed; the others go on", e);
            }
        }
    }

    private void fireOrAgain(Timer timer, long now) {
        try {
            timer.fire(now);
        } catch (Throwable e) { // nobody else would do it; not at once, as it may fail again
            schedule(timer, now + AGAIN); // for which there is room, as it was just taken out
            throw e;
        }
    }

    /** Takes the first timer out if its instant has come. */
    private @Nullable Timer due(long now) {
        lock.lock();
        try {
            Timer first = heap.first();
            if (first == null || first.at - now > 0) {
                return null;
            }
            heap.remove(first);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void keep(int mine) {
        try {
            while (stops == mine) {
                watch();
            }
        } finally {
            if (stops == mine) {
                replace();
            }
        }
    }

    void watch() {
        fireAll();
        long left = look();
        if (left > 0 && !stopped) {
            threads.parkNanos(this, left);
            var unused = Thread.interrupted(); // with which nobody sleeps
        }
    }

    /** Fires all that is due; whatever what follows throws is nobody's who calls in. */
    private void fireAll() {
        Workers.perform(this::fire, "What follows the timers failed; they go on");
    }

    /** Returns for how many nanoseconds nothing is due; from now on a timer that is due before wakes the keeper. */
    private long look() {
        long now = time.nanos();
        lock.lock();
        try {
            due = Math.min(next(), now + (isOneUnset() ? AGAIN : LONGEST_SLEEP));
            sleeps = true;
            return due - now;
        } finally {
            lock.unlock();
        }
    }

    /** Sees to it that there is a keeper. */
    void replace() {
        Thread present = keeper;
        if (stopped || (present != null && present.isAlive() && present != Thread.currentThread())) {
            return;
        }
        try {
            keeper = startKeeper();
            LOG.error("The thread '{}' had ended and was replaced", name);
        } catch (Throwable e) {
            LOG.error("The thread '{}' has ended, and none can be started in its place: {}", name, e.toString());
        }
    }

    /**
     * Timers in the order of their instants, and of their scheduling where these are equal: a binary heap (Williams, 1964) that
     * notes in each timer where it stands, so that any can be taken out. Not thread-safe.
     *
     * <p>Most timers are set seconds ahead and are moved or cancelled before they fire, so their exact order is never asked
     * for: to put one in that is later than most is a single comparison, and to take one out mostly a few, as most stand near
     * the bottom, however many there are. At worst it is two for each level, of which 100,000 timers have 17. The array stays as
     * long as it ever was.
     */
    private static final class Heap {
        /** The place of a timer that is not there. */
        static final int NOWHERE = -1;

        /** A heap: none is before the one above it; below the place i are 2i + 1 and 2i + 2. */
        private final List<Timer> timers = new ArrayList<>();

        private long count;

        private @Nullable Timer first() {
            return timers.isEmpty() ? null : timers.get(0);
        }

        /** Puts a timer in that is not there. */
        void add(Timer timer, long at) {
            timer.at = at;
            timer.order = count++;
            timers.add(timer);
            put(timer, timers.size() - 1);
        }

        /** Takes a timer out that is there; the last one fills its place. */
        void remove(Timer timer) {
            Timer last = timers.remove(timers.size() - 1);
            if (last != timer) {
                put(last, timer.place);
            }
            timer.place = NOWHERE;
        }

        /** Puts a timer in that place, or above, in front of all that it is before, or below, behind all that are before it. */
        private void put(Timer timer, int from) {
            int place = from;
            while (place > 0 && isBefore(timer, timers.get((place - 1) / 2))) {
                place = moved((place - 1) / 2, place);
            }
            int below = place < from ? timers.size() : firstBelow(place); // what was raised is before all below
            while (below < timers.size() && isBefore(timers.get(below), timer)) {
                place = moved(below, place);
                below = firstBelow(place);
            }
            timers.set(place, timer);
            timer.place = place;
        }

        /** Moves the one in a place to another, and returns the place that it leaves. */
        private int moved(int from, int to) {
            Timer timer = timers.get(from);
            timers.set(to, timer);
            timer.place = to;
            return from;
        }

        /** Returns the place of the first one right below a place; if there is none, one behind all places. */
        private int firstBelow(int place) {
            int one = 2 * place + 1;
            int other = one + 1;
            return other < timers.size() && isBefore(timers.get(other), timers.get(one)) ? other : one;
        }

        private static boolean isBefore(Timer a, Timer b) {
            long difference = a.at - b.at;
            return difference != 0 ? difference < 0 : a.order < b.order;
        }
    }
}
