package io.belay.quorum;

import io.belay.support.DaemonThread;
import io.belay.support.Moment;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A clock with timers, injected so that no test sleeps. */
interface Clock extends AutoCloseable {
    /** Returns the present instant in nanoseconds, as {@link System#nanoTime()} does. */
    long nanos();

    /** Returns the wall clock's milliseconds, compared with the other only, to notice a suspension of the machine. */
    long wallMillis();

    /** Returns the present instant by both. */
    default Moment moment() {
        return new Moment(nanos(), Moment.wallOffset(this::nanos, this::wallMillis));
    }

    /** Runs the task once, that much later; never within this call. */
    void later(long nanos, Runnable task);

    /** Ends the clock; tasks that have not run will not. */
    @Override
    void close();

    /** Makes a clock of real time, kept by a thread of its own. */
    static Clock system() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, task -> DaemonThread.of("belay-quorum", task));
        return new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }

            @Override
            @SuppressWarnings("FutureReturnValueIgnored") // the tasks catch what they throw
            public void later(long nanos, Runnable task) {
                try {
                    timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    // Closed.
                }
            }

            @Override
            public void close() {
                timer.shutdownNow();
            }
        };
    }
}
