package io.belay.servers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches how much of the time the machine keeps from who would use it, while a test judges how long something takes: a
 * thread that computes a little every few milliseconds sums up by how much later it is done than alone.
 */
public final class Stalls implements AutoCloseable {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WORK = TimeUnit.MICROSECONDS.toNanos(300);

    /** A machine that kept less than a fifth of the time is not to blame. */
    private static final int PART = 5;

    private final long begun = System.nanoTime();
    private final AtomicLong kept = new AtomicLong();
    private final int inARow;
    private volatile boolean ended;

    private Stalls(int inARow) {
        this.inARow = inARow;
    }

    /** Begins to watch. */
    public static Stalls watch() {
        return watch(1);
    }

    /** Begins to watch while so many processes do something one after the other: the machine keeps its part from each. */
    public static Stalls watch(int inARow) {
        Stalls stalls = new Stalls(inARow);
        Thread thread = new Thread(stalls::run, "belay-stalls");
        thread.setDaemon(true);
        thread.start();
        return stalls;
    }

    private void run() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (!ended) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(PAUSE);
            long cpu = threads.getCurrentThreadCpuTime();
            long worked = 0;
            while (worked < WORK) {
                worked = threads.getCurrentThreadCpuTime() - cpu;
            }
            kept.addAndGet(Math.max(0, System.nanoTime() - begin - PAUSE - worked));
        }
    }

    /** Returns for how long this has watched. */
    public Duration taken() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /**
     * Checks that something was done in time. If not, a promise is broken, unless the machine kept much of the time since
     * this began to watch: then {@link Premise} is told.
     */
    public void inTime(boolean done, String what) {
        if (!done) {
            String text = what + ": not so, " + this;
            Premise.check(!areMany(), text);
            throw new AssertionError(text);
        }
    }

    /** Returns how much of so many milliseconds the machine gave, if it kept the same part of them as of all since this began. */
    public long given(long millis) {
        return Math.round(millis * (1 - Math.min(1, (double) kept() / taken().toNanos())));
    }

    /** Returns whether the machine kept so much of the time that nothing can be said of how long anything took. */
    public boolean areMany() {
        return kept() >= taken().toNanos() / PART;
    }

    private long kept() {
        return kept.get() * inARow;
    }

    @Override
    public String toString() {
        return "after " + taken().toMillis() + " ms, of which the machine kept "
                + TimeUnit.NANOSECONDS.toMillis(kept.get()) + " ms" + (inARow > 1 ? " from each of " + inARow : "");
    }

    @Override
    public void close() {
        ended = true;
    }
}
