package io.belay.internal.time;

import io.belay.spi.Log;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run users' code, so that none of the engine's own does: at most so many at a time, started when
 * there is something to do and ended when there was nothing for a while. The queue is unbounded. A task is never
 * dropped, and not run by its caller before the client closes: where no thread can be started it waits until one can,
 * and that is logged.
 */
public class Workers implements Executor {
    // The name by which users may have set up their logs.
    private static final Log LOG = Log.of("io.belay.internal.Workers");
    private static final long IDLE = 10_000_000_000L;

    private static final class Worker {
        volatile @Nullable Thread thread;
        boolean rests;
    }

    private final Threads threads;
    private final Time time;
    private final String name;
    private final int most;
    private final Runnable starved;
    private final AtomicInteger started = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Worker> idle = new ArrayDeque<>();
    private int count;
    private volatile boolean closed;

    /**
     * @param name what the threads' names begin with
     * @param most how many threads there are at most
     * @param starved is called when no thread could be started; {@link #staff} is to be called a little later
     */
    public Workers(Threads threads, Time time, String name, int most, Runnable starved) {
        this.threads = threads;
        this.time = time;
        this.name = name;
        this.most = most;
        this.starved = starved;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            tasks.add(task);
        } finally {
            lock.unlock();
        }
        staff();
    }

    /** Sees to it that a thread works if there is anything to do. */
    void staff() {
        Worker next;
        boolean fresh;
        lock.lock();
        try {
            if (tasks.isEmpty() || (idle.isEmpty() && count >= most)) {
                return; // those who work look again before they rest
            }
            fresh = idle.isEmpty();
            next = fresh ? new Worker() : idle.pop();
            next.rests = false;
            count += fresh ? 1 : 0;
        } finally {
            lock.unlock();
        }
        if (fresh) {
            start(next);
        } else {
            threads.unpark(next.thread);
        }
    }

    private void start(Worker worker) {
        try {
            threads.start(name + "-" + started.incrementAndGet(), () -> work(worker));
        } catch (Throwable e) { // the machine has no thread left: what is to be done waits
            uncount();
            LOG.error("No thread can be started for callbacks, which wait: {}", e.toString());
            if (closed) {
                for (Runnable task = poll(); task != null; task = poll()) {
                    perform(task); // nobody tries again after the end of a client
                }
            } else {
                starved.run();
            }
        }
    }

    private void uncount() {
        lock.lock();
        try {
            count--;
        } finally {
            lock.unlock();
        }
    }

    private void work(Worker worker) {
        worker.thread = Thread.currentThread();
        for (Runnable task = next(worker); task != null; task = next(worker)) {
            perform(task);
        }
    }

    private @Nullable Runnable poll() {
        lock.lock();
        try {
            return tasks.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs the task; whatever it throws ends this task alone. */
    public static void perform(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A callback failed; the others go on", e);
        }
    }

    /** Waits for the next task; returns null when there was none for a while, and counts the worker no longer. */
    private @Nullable Runnable next(Worker worker) {
        long end = time.nanos() + IDLE;
        while (true) {
            lock.lock();
            try {
                Runnable task = tasks.poll();
                boolean over = closed || time.nanos() - end >= 0;
                if (task != null || over) {
                    idle.remove(worker);
                    worker.rests = false;
                    count -= task == null ? 1 : 0;
                    return task;
                }
                if (!worker.rests) {
                    worker.rests = true;
                    idle.push(worker);
                }
            } finally {
                lock.unlock();
            }
            threads.parkNanos(this, end - time.nanos());
            var unused = Thread.interrupted(); // a task's own
        }
    }

    void open() {
        closed = false;
    }

    /** Lets the threads end once there is nothing to do; what comes later is still done, by its caller if need be. */
    void close() {
        lock.lock();
        try {
            closed = true;
            idle.forEach(worker -> threads.unpark(worker.thread));
        } finally {
            lock.unlock();
        }
        staff();
    }
}
