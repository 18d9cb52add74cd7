package io.belay.document;

import io.belay.spi.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The resources that this client asks or has something of, and those of them to be worked on. Thread-safe. */
final class Lanes {
    /** The most resources that are read, and written, in one step. */
    private static final int BATCH = 128;

    private record Alarm(long at, Lane lane) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final long client;
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Deque<Lane> ready = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::at));
    private boolean closed;

    Lanes(long client) {
        this.client = client;
    }

    void add(String resource, Pending pending) {
        lock.lock();
        try {
            if (!closed) {
                Lane lane = lanes.computeIfAbsent(resource, name -> new Lane(name, client));
                lane.pending.add(pending);
                ready(lane);
                return;
            }
        } finally {
            lock.unlock();
        }
        pending.fail(StoreException.unusable("the client was closed", null));
    }

    /** Lets a worker look at a resource, if this client has anything there. */
    void look(String resource) {
        lock.lock();
        try {
            Lane lane = lanes.get(resource);
            if (lane != null) {
                lane.look = true;
                ready(lane);
            }
        } finally {
            lock.unlock();
        }
    }

    private void ready(Lane lane) {
        if (!lane.taken && !lane.paused) {
            lane.taken = true;
            ready.add(lane);
            work.signal();
        }
    }

    /**
     * Waits for work and takes some, each resource for this thread alone until it is put {@link #back}.
     *
     * @param until the longest to wait for, as a {@link System#nanoTime()}
     * @return what is to be worked on, perhaps nothing; null when there will be nothing more
     */
    @Nullable
    List<Lane> take(long until) {
        lock.lock();
        try {
            while (true) {
                long now = System.nanoTime();
                wakeThoseWhoseTimeHasCome(now);
                if (!ready.isEmpty()) {
                    return batch();
                } else if (closed) {
                    return null;
                } else if (until - now <= 0) {
                    return List.of();
                }
                Alarm next = alarms.peek();
                long wait = next == null ? until - now : Math.min(until - now, next.at() - now);
                work.awaitNanos(Math.max(1, wait));
            }
        } catch (InterruptedException e) {
            return null; // nobody but the store has the thread, and it interrupts it to end it
        } finally {
            lock.unlock();
        }
    }

    private void wakeThoseWhoseTimeHasCome(long now) {
        for (Alarm next = alarms.peek(); next != null && next.at() - now <= 0; next = alarms.peek()) {
            alarms.remove();
            if (next.lane().lookAt == next.at()) {
                next.lane().lookAt = 0;
                next.lane().look = true;
                next.lane().paused = false;
                ready(next.lane());
            }
        }
    }

    private List<Lane> batch() {
        List<Lane> batch = new ArrayList<>();
        while (batch.size() < BATCH && !ready.isEmpty() && (batch.isEmpty() || !ready.element().apart)) {
            Lane next = ready.remove();
            batch.add(next);
            if (next.apart) {
                break;
            }
        }
        if (!ready.isEmpty()) {
            work.signal();
        }
        return batch;
    }

    /** Takes what is asked of a resource that was taken. */
    Job job(Lane lane) {
        lock.lock();
        try {
            Job job = new Job(lane, List.copyOf(lane.pending));
            lane.pending.clear();
            lane.look = false;
            return job;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives a resource back, as the work on it is done for now.
     *
     * @param lookIn in how many nanoseconds it is to be looked at at the latest; 0 if not by itself
     */
    void back(Job job, long lookIn) {
        Lane lane = job.lane;
        lock.lock();
        try {
            List<Pending> again = job.again();
            for (int i = again.size() - 1; i >= 0; i--) {
                lane.pending.addFirst(again.get(i));
            }
            lane.look |= job.isToLookAgain();
            lane.taken = false;
            lane.lookAt = 0;
            if (job.pause() > 0 && !closed) {
                lane.paused = true;
                wakeIn(lane, job.pause());
            } else if (!lane.pending.isEmpty() || lane.look) {
                ready(lane);
            } else if (lookIn > 0) {
                wakeIn(lane, lookIn);
            } else if (lane.own.isEmpty()) {
                lanes.remove(lane.resource, lane);
            }
        } finally {
            lock.unlock();
        }
    }

    private void wakeIn(Lane lane, long nanos) {
        lane.lookAt = (System.nanoTime() + nanos) | 1; // not 0
        Alarm alarm = new Alarm(lane.lookAt, lane);
        alarms.add(alarm);
        if (alarms.peek() == alarm) {
            work.signal();
        }
    }

    /** Takes on nothing more; what was asked before may still be done. */
    void close() {
        lock.lock();
        try {
            closed = true;
            for (Lane lane : lanes.values()) {
                if (lane.paused) {
                    lane.paused = false;
                    ready(lane);
                }
            }
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Fails what was asked, as nobody is left to do it. */
    void abandon() {
        List<Pending> left = new ArrayList<>();
        lock.lock();
        try {
            lanes.values().forEach(lane -> left.addAll(lane.pending));
            lanes.clear();
            ready.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(pending -> pending.fail(StoreException.unusable("the client was closed", null)));
    }
}
