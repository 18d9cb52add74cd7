package io.belay.document;

import io.belay.spi.StoreException;
import io.belay.support.Mutex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The resources that this client asks or has something of, and those of them to be worked on. Thread-safe. */
final class ResourceQueues {
    /** The most resources that are read, and written, in one step. */
    private static final int BATCH = 128;

    /** The least number of alarms that count no more for which it pays to look through all. */
    private static final int MANY = 1_000;

    /** The time when a resource is to be looked at though nobody asks; an alarm that counts no more has none. */
    static final class Alarm {
        private final long at;
        private @Nullable ResourceQueue queue;

        Alarm(long at, ResourceQueue queue) {
            this.at = at;
            this.queue = queue;
        }
    }

    private final Mutex lock = new Mutex();
    private final Condition work = lock.newCondition();
    private final long client;
    private final Map<String, ResourceQueue> queues = new HashMap<>();
    private final Deque<ResourceQueue> ready = new ArrayDeque<>();
    /** Those that are to be done by themselves: one at a time, as the database may let each of them wait for long. */
    private final Deque<ResourceQueue> apart = new ArrayDeque<>();
    /** The one of them that is being done. */
    private @Nullable ResourceQueue alone;

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(alarm -> alarm.at));
    /** The number of them that count no more. */
    private int overtaken;

    private final PageQueue pages = new PageQueue();
    private boolean closed;

    ResourceQueues(long client) {
        this.client = client;
    }

    void add(String resource, Operation pending) {
        try (var held = lock.hold()) {
            if (!closed) {
                ResourceQueue queue = queues.computeIfAbsent(resource, name -> new ResourceQueue(name, client));
                queue.pending.add(pending);
                ready(queue);
                return;
            }
        }
        pending.fail(closed());
    }

    private static StoreException closed() {
        return StoreException.unusable("the client was closed", null);
    }

    void add(PageQueue.Page page) {
        try (var held = lock.hold()) {
            if (!closed) {
                pages.add(page);
                work.signal();
                return;
            }
        }
        page.answer().completeExceptionally(closed());
    }

    /** Takes a page of names to be read, until it is {@link #donePage}; null if none is to be read now. */
    PageQueue.@Nullable Page takePage() {
        try (var held = lock.hold()) {
            return closed ? null : pages.take();
        }
    }

    void donePage() {
        try (var held = lock.hold()) {
            pages.done();
            if (pages.isReady()) {
                work.signal();
            }
        }
    }

    /** Lets a worker look at a resource, if this client has anything there. */
    void look(String resource) {
        try (var held = lock.hold()) {
            ResourceQueue queue = queues.get(resource);
            if (queue != null) {
                queue.look = true;
                ready(queue);
            }
        }
    }

    private void ready(ResourceQueue queue) {
        if (!queue.taken && !queue.paused) {
            queue.taken = true;
            (queue.contention.isApart() ? apart : ready).add(queue);
            work.signal();
        }
    }

    /**
     * Waits for work and takes some, each resource for this thread alone until it is put {@link #back}.
     *
     * @param until the longest to wait for, as a {@link System#nanoTime()}
     * @return what is to be worked on, perhaps nothing, as when only a page is asked for; null when there will be nothing
     *     more
     */
    @Nullable
    List<ResourceQueue> take(long until) {
        try (var held = lock.hold()) {
            while (true) {
                long now = System.nanoTime();
                wakeThoseWhoseTimeHasCome(now);
                if (!ready.isEmpty() || isApartDue()) {
                    return batch();
                } else if (closed) {
                    return null;
                } else if (until - now <= 0 || pages.isReady()) {
                    return List.of();
                }
                Alarm next = alarms.peek();
                long wait = next == null ? until - now : Math.min(until - now, next.at - now);
                work.awaitNanos(Math.max(1, wait));
            }
        } catch (InterruptedException e) {
            return List.of(); // somebody else's: the store ends its threads by other means
        }
    }

    private void wakeThoseWhoseTimeHasCome(long now) {
        for (Alarm next = alarms.peek(); next != null && next.at - now <= 0; next = alarms.peek()) {
            alarms.remove();
            ResourceQueue queue = next.queue;
            if (queue == null) {
                overtaken--;
            } else {
                queue.alarm = null;
                queue.look = true;
                queue.paused = false;
                ready(queue);
            }
        }
    }

    private boolean isApartDue() {
        return alone == null && !apart.isEmpty();
    }

    private List<ResourceQueue> batch() {
        List<ResourceQueue> batch = new ArrayList<>(BATCH); // first: what is taken is not lost for want of memory
        if (isApartDue()) {
            alone = apart.remove();
            batch.add(alone);
        } else {
            while (batch.size() < BATCH && !ready.isEmpty()) {
                batch.add(ready.remove());
            }
        }
        if (!ready.isEmpty() || pages.isReady()) {
            work.signal();
        }
        return batch;
    }

    /** Takes what is asked of a resource that was taken. */
    ResourceUpdate job(ResourceQueue queue) {
        try (var held = lock.hold()) {
            ResourceUpdate job = new ResourceUpdate(queue, List.copyOf(queue.pending));
            queue.pending.clear();
            queue.look = false;
            return job;
        }
    }

    /**
     * Gives a resource back, as the work on it is done for now.
     *
     * @param lookIn in how many nanoseconds it is to be looked at at the latest; 0 if not by itself
     */
    void back(ResourceUpdate job, long lookIn) {
        ResourceQueue queue = job.queue;
        try (var held = lock.hold()) {
            queue.taken = false; // first: whatever follows may lack the memory
            alone = alone == queue ? null : alone;
            List<Operation> again = job.again();
            for (int i = again.size() - 1; i >= 0; i--) {
                queue.pending.addFirst(again.get(i));
            }
            queue.look |= job.isToLookAgain();
            if (isApartDue()) {
                work.signal();
            }
            overtake(queue);
            if (job.pause() > 0 && !closed) {
                wakeIn(queue, job.pause());
                queue.paused = true; // not before: nobody else would end that
            } else if (!queue.pending.isEmpty() || queue.look) {
                ready(queue);
            } else if (lookIn > 0) {
                wakeIn(queue, lookIn);
            } else if (queue.own.isEmpty()) {
                queues.remove(queue.resource, queue);
            }
        }
    }

    /** Gives a resource back that was not worked on, or not given back, as that has failed; it is to be taken again. */
    void back(ResourceQueue queue) {
        try (var held = lock.hold()) {
            queue.taken = false;
            alone = alone == queue ? null : alone;
            queue.look = true;
            ready(queue);
        }
    }

    private void wakeIn(ResourceQueue queue, long nanos) {
        Alarm alarm = new Alarm(System.nanoTime() + nanos, queue);
        alarms.add(alarm);
        queue.alarm = alarm;
        if (alarms.peek() == alarm) {
            work.signal();
        }
    }

    /** Has the alarm of a resource count no more, and leaves nothing of it in memory for long. */
    private void overtake(ResourceQueue queue) {
        Alarm alarm = queue.alarm;
        if (alarm != null) {
            queue.alarm = null;
            alarm.queue = null;
            if (++overtaken > MANY + alarms.size() / 2) {
                alarms.removeIf(one -> one.queue == null);
                overtaken = 0;
            }
        }
    }

    /** Returns how many alarms there are, those that count no more among them. */
    int alarms() {
        try (var held = lock.hold()) {
            return alarms.size();
        }
    }

    /** Takes on nothing more; what was asked before may still be done. */
    void close() {
        try (var held = lock.hold()) {
            closed = true;
            for (ResourceQueue queue : queues.values()) {
                if (queue.paused) {
                    queue.paused = false;
                    ready(queue);
                }
            }
            work.signalAll();
        }
    }

    /** Fails what was asked, as nobody is left to do it. */
    void abandon() {
        List<Operation> left = new ArrayList<>();
        List<PageQueue.Page> leftPages;
        try (var held = lock.hold()) {
            queues.values().forEach(queue -> left.addAll(queue.pending));
            queues.clear();
            ready.clear();
            apart.clear();
            leftPages = pages.drain();
        }
        left.forEach(pending -> pending.fail(closed()));
        leftPages.forEach(page -> page.answer().completeExceptionally(closed()));
    }
}
