package io.belay.internal.primitive;

import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.internal.gate.Hold;
import io.belay.internal.time.Time;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this client that hold reentrant locks, and how often: one entry for each thread and lock.
 *
 * <p>Entries that nobody comes back for are collected: those of threads that have ended, and a minute after their end those of
 * fixed leases, and of lost ones whose thread was told. Once a minute a new entry pays for a look at all; there is no thread for it.
 */
public final class ReentrantLocks {
    /** The time for which a thread can still be told at an unlock that its lease is over, and from look to look, in nanoseconds. */
    private static final long MEMORY = TimeUnit.MINUTES.toNanos(1);

    record Key(String name, Thread thread) {}

    /** The levels of one thread; touched by that thread alone, but for what is final or volatile. */
    static final class Levels {
        final Key key;
        volatile Hold lease;
        int count = 1;
        /** True once the thread was told that the lease is lost. */
        volatile boolean told;
        /** True once nobody finds them any more; objects that know them still are to forget them. */
        volatile boolean collected;

        Levels(Key key, Hold lease) {
            this.key = key;
            this.lease = lease;
        }

        /** Returns whether its thread has ended, or has not asked for a minute since its lease ended, and knows of that. */
        private boolean isAbandoned(long now) {
            if (!key.thread.isAlive()) {
                return true; // the lease, if it is renewed, is its gate's
            }
            Hold hold = lease; // perhaps another one than that with which the levels began
            LeaseLostException loss = hold.loss();
            return loss != null
                    && (told || loss.reason().orElseThrow() == LossReason.ENDED)
                    && now - hold.acquired() - loss.held().toNanos() > MEMORY;
        }
    }

    private final Time time;
    private final ConcurrentHashMap<Key, Levels> held = new ConcurrentHashMap<>();
    private final AtomicLong looked;

    /** Makes counts for threads of a client that has that clock. */
    public ReentrantLocks(Time time) {
        this.time = time;
        looked = new AtomicLong(time.nanos());
    }

    /** Returns for how many threads and locks levels are counted. */
    public int size() {
        return held.size();
    }

    @Nullable
    Levels ofCurrentThread(String name) {
        return held.get(new Key(name, Thread.currentThread()));
    }

    Levels add(String name, Hold lease) {
        Levels levels = new Levels(new Key(name, Thread.currentThread()), lease);
        long now = time.nanos();
        long last = looked.get();
        if (now - last > MEMORY && looked.compareAndSet(last, now)) {
            held.values().removeIf(other -> other.collected = other.isAbandoned(now));
        }
        held.put(levels.key, levels); // last: what could not be noted is not there
        return levels;
    }

    /** Forgets levels, for which no memory is needed. */
    void remove(Levels levels) {
        held.remove(levels.key, levels);
    }
}
