package io.belay.internal;

import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Workers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a {@link TestWorld}: where the test's own thread parks, time passes until it is woken, since nobody else
 * could move it meanwhile. Other threads park for real, and look again after a moment.
 */
final class WorldThreads implements Threads {
    private static final long STEP = 1_000_000;

    private final TestWorld world;
    private final Thread test = Thread.currentThread();
    private final Queue<Thread> started = new ConcurrentLinkedQueue<>();
    private volatile boolean woken;
    /** What is given the tasks of the threads that report; null if they are run at once. */
    @Nullable
    Consumer<Runnable> reports;
    /** What is given the tasks of Belay's own threads for callbacks; null if they are run at once. */
    @Nullable
    Consumer<Runnable> callbacks;

    /** Whether users are told of losses and the like by threads, as many as there really are, and not at once. */
    boolean telling;

    WorldThreads(TestWorld world) {
        this.world = world;
    }

    @Override
    public Thread start(String name, Runnable body) {
        Thread thread = SYSTEM.start(name, body);
        started.add(thread);
        return thread;
    }

    /** Lets time pass until the threads that were started have ended. */
    void awaitEnd() {
        while (started.stream().anyMatch(Thread::isAlive)) {
            world.pass(Duration.ofNanos(STEP));
            Thread.onSpinWait();
        }
        started.clear();
    }

    /** Runs what tells users something at once, on the test's thread, unless {@link #reports} takes it. */
    @Override
    public Workers workers(Time time, String name, int most, Runnable starved) {
        if (telling && name.startsWith("belay-notice-")) {
            return new Workers(this, time, name, most, starved);
        }
        boolean isReporting = name.startsWith("belay-report-");
        boolean isCallback = name.startsWith("belay-callback-");
        return new Workers(this, time, name, most, starved) {
            @Override
            public void execute(Runnable task) {
                Consumer<Runnable> other = isReporting ? reports : isCallback ? callbacks : null;
                if (other == null) {
                    perform(task);
                } else {
                    other.accept(task);
                }
            }
        };
    }

    @Override
    public void park(Object blocker) {
        parkNanos(blocker, STEP);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        long step = Math.min(nanos, STEP);
        if (Thread.currentThread() != test) {
            LockSupport.parkNanos(blocker, step);
        } else if (!woken && !test.isInterrupted()) {
            world.pass(Duration.ofNanos(step));
        }
        woken &= Thread.currentThread() != test;
    }

    @Override
    public void unpark(@Nullable Thread thread) {
        if (thread == test) {
            woken = true;
        } else {
            LockSupport.unpark(thread);
        }
    }
}
