package io.belay.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How slow this machine is when a test run begins, and how long its tests wait for what must come before they call it
 * hung. That is no promise of Belay's: a test of one states the time itself.
 */
public final class Pace {
    private static final int SLEEPS = 20;
    private static final long SLEEP = 1_000_000;

    /** What a test waits for takes a few starts of processes, and some thousand wake-ups, at most. */
    private static final int STARTS = 100;

    private static final int WAKE_UPS = 1_000;

    /** Other work may begin on the machine after it was measured. */
    private static final Duration LEAST = Duration.ofMinutes(1);

    /** Less than what JUnit gives a test, so that it is told what was waited for. */
    private static final Duration MOST = Duration.ofMinutes(5);

    private static final Pace HERE = new Pace(wakeUp(), start());

    private final Duration wakeUp;
    private final Duration start;
    private final Duration patience;

    Pace(Duration wakeUp, Duration start) {
        this.wakeUp = wakeUp;
        this.start = start;
        Duration wanted = longer(start.multipliedBy(STARTS), wakeUp.multipliedBy(WAKE_UPS));
        patience = wanted.compareTo(MOST) > 0 ? MOST : longer(wanted, LEAST);
    }

    static Pace here() {
        return HERE;
    }

    /** Returns how long a test waits for what must come. */
    public static Duration patience() {
        return HERE.patience;
    }

    /** Returns the same in seconds. */
    public static long seconds() {
        return HERE.patience.toSeconds();
    }

    Duration ofThis() {
        return patience;
    }

    @Override
    public String toString() {
        return "a thread wakes up to " + wakeUp.toNanos() / 1_000 + " us late, a JVM starts in " + start.toMillis()
                + " ms: tests wait for " + patience.toSeconds() + " s";
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns by how much the latest of some sleeps ended late. */
    private static Duration wakeUp() {
        long latest = 0;
        for (int i = 0; i < SLEEPS; i++) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(SLEEP);
            latest = Math.max(latest, System.nanoTime() - begin - SLEEP);
        }
        return Duration.ofNanos(latest);
    }

    private static Duration start() {
        long begin = System.nanoTime();
        try {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("no JVM starts", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
