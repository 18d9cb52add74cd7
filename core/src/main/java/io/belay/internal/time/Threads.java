package io.belay.internal.time;

import io.belay.support.DaemonThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The only means by which the engine starts threads, makes them wait and wakes them. Injected, like {@link Time}, so
 * that a simulation can decide who runs.
 */
public interface Threads {
    /**
     * Starts a daemon thread.
     *
     * @throws Error if the machine has no thread left
     */
    Thread start(String name, Runnable body);

    /** Parks the calling thread until it is woken or interrupted; may return for no reason. */
    void park(Object blocker);

    /** Parks the calling thread until it is woken or interrupted or that time is over; may return for no reason. */
    void parkNanos(Object blocker, long nanos);

    /** Returns the thread's name as it is shown to people; virtual threads have none, but a number. */
    static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.getId() : name;
    }

    /** Wakes a thread that parks, or spares it the next parking. */
    void unpark(@Nullable Thread thread);

    /** Makes threads for users' code; the parameters are those of {@link Workers}. */
    default Workers workers(Time time, String name, int most, Runnable starved) {
        return new Workers(this, time, name, most, starved);
    }

    /** The process's own threads. */
    Threads SYSTEM = new Threads() {
        @Override
        public Thread start(String name, Runnable body) {
            return DaemonThread.start(name, body);
        }

        @Override
        public void park(Object blocker) {
            LockSupport.park(blocker);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(@Nullable Thread thread) {
            LockSupport.unpark(thread);
        }
    };
}
