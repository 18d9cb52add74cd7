package io.belay.file;

import io.belay.support.DaemonThread;
import io.belay.support.Log;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The thread that does what a calling thread must not: opening and mapping files, and all regular work. Nobody
 * interrupts it.
 */
final class IoThread {
    /** Loaded from the start: as memory runs out that might fail, and for ever. */
    private static final Log LOG = FileLog.LOG;

    private static final long TICK = TimeUnit.SECONDS.toNanos(1);

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile @Nullable Runnable everySecond;
    private volatile boolean closed;

    IoThread() {
        thread = DaemonThread.start("belay-file-keeper", this::work);
    }

    /** Sets the task that the thread runs every second from now on. */
    void everySecond(Runnable task) {
        everySecond = task;
    }

    void execute(Runnable task) {
        tasks.add(task);
    }

    private void work() {
        long next = System.nanoTime() + TICK;
        boolean interrupted = false;
        while (!closed || !tasks.isEmpty()) {
            try {
                Runnable task = tasks.poll(next - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (task != null) {
                    task.run();
                }
                Runnable regular = everySecond;
                if (System.nanoTime() - next >= 0) {
                    next = System.nanoTime() + TICK;
                    if (regular != null && !closed) {
                        regular.run();
                    }
                }
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (RuntimeException | Error e) {
                disturbed(e);
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    /** Logs what has disturbed a thread of the store that has to go on; throws nothing where there is no memory to do so. */
    static void disturbed(Throwable failure) {
        try {
            LOG.error("the store's own work was disturbed", failure);
        } catch (Error e) {
            // even the text takes memory the first time
        }
    }

    /** Runs work on this thread and waits for it, whatever interrupts of the caller come meanwhile. */
    <T> T call(Callable<T> work) throws ExecutionException {
        try {
            return call(work, Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    <T> T call(Callable<T> work, long nanos) throws ExecutionException, TimeoutException {
        FutureTask<T> result = new FutureTask<>(work); // which needs no memory to fail
        execute(result);
        boolean interrupted = false;
        long end = System.nanoTime() + nanos;
        try {
            while (true) {
                try {
                    return result.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean isMine() {
        return Thread.currentThread() == thread;
    }

    /** Ends the thread once it has done what it was given. */
    void close() {
        closed = true;
        execute(() -> {});
    }
}
