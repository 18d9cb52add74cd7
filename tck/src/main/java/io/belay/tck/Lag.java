package io.belay.tck;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time that the machine withholds from this process: a thread sleeps again and again, and adds up by how much
 * it was woken too late. What a library promises cannot hold on a machine that does not run it.
 */
final class Lag implements AutoCloseable {
    private static final Duration NAP = Duration.ofMillis(2);

    private final Thread thread = new Thread(this::watch, "tck-lag");
    private volatile long late;
    private volatile long longest;

    Lag() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long asleep = System.nanoTime();
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(NAP.toNanos());
                long awake = System.nanoTime();
                long now = Math.max(0, awake - asleep - NAP.toNanos());
                late += now;
                longest = Math.max(longest, now);
                asleep = awake;
            }
        } catch (InterruptedException e) {
            // It was closed.
        }
    }

    /** Returns the time that the machine has withheld so far. */
    Duration sum() {
        return Duration.ofNanos(late);
    }

    /** Returns the longest time for which it has withheld itself at once. */
    Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
