package io.belay.dashboard;

import java.util.ArrayList;
import java.util.List;

/** The threads of a test, which have names and may wait for locks; they are interrupted when it is over. */
public final class TestThreads implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();

    /** What such a thread does; an interrupt ends it. */
    public interface Body {
        void run() throws InterruptedException;
    }

    public void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException e) {
                        // The test is over.
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    boolean areAlive() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    @Override
    public void close() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
