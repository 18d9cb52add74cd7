package io.belay.trials.jsr166.adapter;

import java.lang.Thread.State;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** The threads of the copied tests, which make them here and not by {@code new Thread}. */
public final class TestThreads {
    private static final AtomicLong COUNT = new AtomicLong();
    private static volatile boolean virtual;

    private TestThreads() {}

    /** Makes all threads from now on virtual, which takes a Java that has such. */
    public static void makeVirtual() {
        virtual = true;
    }

    public static Thread make(Runnable body) {
        // With a name, by which Belay tells who holds a lock.
        return make(body, "Thread-" + COUNT.getAndIncrement());
    }

    /** Makes a thread; virtual ones have no group of their own. */
    public static Thread make(ThreadGroup group, Runnable body) {
        return virtual ? make(body) : new Thread(group, body);
    }

    public static Thread make(Runnable body, String name) {
        if (!virtual) {
            return new Thread(body, name);
        }
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Object named = builder.getMethod("name", String.class)
                    .invoke(Thread.class.getMethod("ofVirtual").invoke(null), name);
            return (Thread) builder.getMethod("unstarted", Runnable.class).invoke(named, body);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java has no virtual threads", e);
        }
    }

    /** Makes a pool of such threads. */
    public static ExecutorService pool(int threads) {
        return Executors.newFixedThreadPool(threads, TestThreads::make);
    }

    /** Returns whether a thread in that state waits as it is to: where a limit of time is its client's, it only waits. */
    public static boolean waits(State seen, State expected) {
        return seen == expected || (seen == State.WAITING && expected == State.TIMED_WAITING);
    }
}
