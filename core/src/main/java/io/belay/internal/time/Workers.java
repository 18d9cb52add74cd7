package io.belay.internal.time;

import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run users' code, so that none of the engine's own does: at most so many at a time, started when
 * there is something to do and ended when there was nothing for a while. The queue is unbounded. A task is never
 * dropped, and not run by its caller before the client closes: where no thread can be started it waits until one can.
 */
public class Workers implements Executor {
    private static final Log LOG = Log.of(LogName.CLIENT);
    private static final long IDLE = 10_000_000_000L;

    private final Threads threads;
    private final Time time;
    private final String name;
    private final int most;
    private final Runnable starved;
    private final AtomicInteger started = new AtomicInteger();
    private final Mutex lock = new Mutex();

    // Guarded by the lock.
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Thread> idle = new ArrayDeque<>();
    private int count;
    private volatile boolean closed;

    /**
     * @param name what the threads' names begin with
     * @param most how many threads there are at most
     * @param starved is called when no thread could be started; {@link #staff} is to be called a little later, and somebody told
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
        try (var held = lock.hold()) {
            tasks.add(task);
        }
        addWorker();
    }

    /** Has a thread work for each task that waits, where some could not be started before. */
    void staff() {
        int waiting;
        try (var held = lock.hold()) {
            waiting = tasks.size();
        }
        for (boolean works = true; works && waiting > 0; waiting--) {
            works = addWorker();
        }
    }

    /** Has one thread more work, if there is anything to do; returns false if none could, or may. */
    private boolean addWorker() {
        Thread rested;
        try (var held = lock.hold()) {
            if (tasks.isEmpty() || (idle.isEmpty() && count >= most)) {
                return false; // those who work look again before they rest
            }
            rested = idle.poll();
            count += rested == null ? 1 : 0;
        }
        if (rested == null) {
            return start();
        }
        threads.unpark(rested);
        return true;
    }

    private boolean start() {
        try {
            threads.start(name + "-" + started.incrementAndGet(), () -> work(IDLE));
            return true;
        } catch (Throwable e) { // the machine has no thread left: what is to be done waits
            if (closed) {
                work(0); // nobody tries again after the end of a client
                return false;
            }
            try (var held = lock.hold()) {
                count--;
            }
            starved.run();
            return false;
        }
    }

    /** Does what there is to do, until there was nothing for so many nanoseconds. */
    private void work(long patience) {
        for (Runnable task = next(patience); task != null; task = next(patience)) {
            perform(task);
        }
    }

    /** Runs a callback; whatever it throws ends this one alone. */
    public static void perform(Runnable task) {
        perform(task, "A callback failed; the others go on");
    }

    /** Runs the task; whatever it throws ends this task alone, and is logged as that failure. */
    public static void perform(Runnable task, String failure) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error(failure, e);
        }
    }

    /** Waits for the next task; returns null when there was none for so long, and counts the thread no longer. */
    private @Nullable Runnable next(long patience) {
        Thread worker = Thread.currentThread();
        long end = time.nanos() + patience;
        while (true) {
            try (var held = lock.hold()) {
                idle.remove(worker);
                Runnable task = tasks.poll();
                if (task != null) {
                    return task;
                }
                if (closed || time.nanos() - end >= 0) {
                    count--;
                    return null;
                }
                idle.push(worker);
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
        try (var held = lock.hold()) {
            closed = true;
            idle.forEach(threads::unpark);
        }
        staff();
    }
}
