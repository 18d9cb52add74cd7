package io.belay.node;

import io.belay.support.DaemonThread;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A timer that runs tasks some time after they were handed over, always the same time, and late by up to a quarter of
 * it: for work that nearly always turns out to be needless, so that the timer must cost next to nothing. One thread
 * wakes now and then while there are tasks, instead of once for each. Thread-safe.
 */
public final class DelayedTasks implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);
    private static final int PARTS = 4;

    private final long delay;
    private final ScheduledThreadPoolExecutor thread;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();

    private record Task(long due, Runnable work) {}

    /**
     * @param name names its thread
     * @param millis how long after a task was handed over it runs
     */
    public DelayedTasks(String name, long millis) {
        Objects.requireNonNull(name, "name");
        delay = TimeUnit.MILLISECONDS.toNanos(millis);
        thread = new ScheduledThreadPoolExecutor(1, task -> DaemonThread.of(name, task));
        thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // it has just been closed
    }

    /** Runs a task later, on the one thread of all tasks: it must not block. Does nothing after {@link #close()}. */
    public void run(Runnable work) {
        Objects.requireNonNull(work, "work");
        tasks.add(new Task(System.nanoTime() + delay, work));
        arm();
    }

    private void arm() {
        if (!armed.get() && armed.compareAndSet(false, true)) {
            try {
                thread.schedule(this::look, delay / PARTS, TimeUnit.NANOSECONDS);
            } catch (OutOfMemoryError e) {
                armed.set(false);
                LOG.debug("No thread can be started; it is tried again with the next task", e);
            }
        }
    }

    private void look() {
        armed.set(false);
        long now = System.nanoTime();
        for (Task next = tasks.peek(); next != null && next.due() - now <= 0; next = tasks.peek()) {
            tasks.remove();
            try {
                next.work().run();
            } catch (Throwable e) { // whatever it is, the others are waited for, too
                LOG.error("What was to be done later has failed", e);
            }
        }
        if (!tasks.isEmpty()) {
            arm();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        tasks.clear();
    }
}
