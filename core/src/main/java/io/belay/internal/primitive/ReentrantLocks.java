package io.belay.internal.primitive;

import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.internal.gate.Hold;
import io.belay.internal.time.Time;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this client that hold reentrant locks, and how often: one entry for each thread and lock.
 *
 * <p>Entries that nobody comes back for are collected: those of threads that have ended, and a minute after their end those of
 * fixed leases, and of lost ones whose thread was told. Each new entry pays for a look at a few others; there is no thread for it.
 */
public final class ReentrantLocks {
    /** The number of entries that are looked at, and are to stay, when one is added. */
    private static final int LOOKS = 2;

    /** The time for which a thread can still be told at an unlock that its lease is over, in nanoseconds. */
    private static final long MEMORY = TimeUnit.MINUTES.toNanos(1);

    /** The levels of one thread; touched by that thread alone, but for what is final or volatile. */
    static final class Levels {
        /** The lock's name and the thread; no record, whose class a cache of JDK 17's would keep once it was compared. */
        final Map.Entry<String, Thread> key;

        volatile Hold lease;
        /** The number of levels; none once the last one is given back, or is to be, as an Error has struck at that. */
        int count = 1;
        /** True once nobody finds them any more; objects that know them still are to forget them. */
        volatile boolean collected;

        Levels(Map.Entry<String, Thread> key, Hold lease) {
            this.key = key;
            this.lease = lease;
        }

        /** Returns whether its thread has ended, or has not asked for a minute since its lease ended, and knows of that. */
        private boolean isAbandoned(long now) {
            if (!key.getValue().isAlive()) {
                return true; // the lease, if it is renewed, is its gate's
            }
            Hold hold = lease; // perhaps another one than that with which the levels began
            LeaseLostException loss = hold.loss();
            boolean known = loss == null
                    ? hold.isReleased()
                    : hold.isLossTold || loss.reason().orElseThrow() == LossReason.ENDED;
            long held = loss == null ? hold.heldUntilRelease() : loss.held().toNanos();
            return known && now - hold.acquired() - held > MEMORY;
        }
    }

    private final Time time;
    private final ConcurrentHashMap<Map.Entry<String, Thread>, Levels> held = new ConcurrentHashMap<>();
    private final AtomicBoolean collecting = new AtomicBoolean();
    /** The place at which the next look begins. Guarded by {@code collecting}. */
    private Iterator<Levels> place = Collections.emptyIterator();

    /** Makes counts for threads of a client that has that clock. */
    public ReentrantLocks(Time time) {
        this.time = time;
    }

    /** Returns for how many threads and locks levels are counted. */
    public int size() {
        return held.size();
    }

    @Nullable
    Levels ofCurrentThread(String name) {
        return held.get(Map.entry(name, Thread.currentThread()));
    }

    Levels add(String name, Hold lease) {
        Levels levels = new Levels(Map.entry(name, Thread.currentThread()), lease);
        if (!held.isEmpty() && collecting.compareAndSet(false, true)) {
            try {
                collect(time.nanos());
            } finally {
                collecting.set(false);
            }
        }
        held.put(levels.key, levels); // last: what could not be noted is not there
        return levels;
    }

    /** Drops what is abandoned among the next entries: any number in a row, so that there is never much more than is held. */
    private void collect(long now) {
        for (int stay = 0; stay < LOOKS; ) {
            place = place.hasNext() ? place : held.values().iterator();
            if (!place.hasNext()) {
                return;
            }
            Levels next = place.next();
            if (next.isAbandoned(now)) {
                next.collected = true;
                remove(next);
            } else {
                stay++;
            }
        }
    }

    /** Forgets levels, for which no memory is needed. */
    void remove(Levels levels) {
        held.remove(levels.key, levels);
    }
}
