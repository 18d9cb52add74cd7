package io.belay.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How quick this machine is now: how late it wakes a thread, and how long it takes to start a JVM. Leases of tests with
 * real time, and their patience, are multiples of that, so that a slow machine is not taken for a broken store. Measured
 * once, when the first test asks, and printed.
 */
final class Pace {
    private static final int NAPS = 40;
    private static final Duration NAP = Duration.ofMillis(1);

    /** The shortest lease: what a lease is made of on a machine that is quick. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration LONGEST_LEASE = Duration.ofSeconds(20);

    /** A third of a lease passes before it is renewed; what is left has to do for a dozen threads to be woken in turn. */
    private static final int WAKES_IN_A_LEASE = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(3);

    /** A client that connects for the first time loads as many classes as some dozens of small JVMs. */
    private static final int STARTS_IN_PATIENCE = 100;

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    /** The pace of this machine when this suite began; it stands behind what it is made of. */
    static final Pace HERE = measured();

    private final Duration wake;
    private final Duration start;

    private Pace(Duration wake, Duration start) {
        this.wake = wake;
        this.start = start;
    }

    private static Pace measured() {
        Pace pace = new Pace(latestWake(), startOfAJvm());
        System.out.println(pace);
        return pace;
    }

    private static Duration latestWake() {
        long latest = 0;
        try {
            for (int i = 0; i < NAPS; i++) {
                long from = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(NAP.toNanos());
                latest = Math.max(latest, System.nanoTime() - from - NAP.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Duration.ofNanos(latest);
    }

    private static Duration startOfAJvm() {
        long from = System.nanoTime();
        try {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xshare:auto",
                            "-XX:TieredStopAtLevel=1",
                            "-version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("no JVM can be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Duration.ofNanos(System.nanoTime() - from);
    }

    /** Returns a lease that a client on this machine renews in time. */
    Duration lease() {
        return between(LEASE, wake.multipliedBy(WAKES_IN_A_LEASE), LONGEST_LEASE);
    }

    /** Returns how long to wait for what is to happen at once. */
    Duration patience() {
        return between(PATIENCE, start.multipliedBy(STARTS_IN_PATIENCE), LONGEST_PATIENCE);
    }

    /** Returns how long a store may take to answer. */
    Duration requestTimeout() {
        return slowed(REQUEST_TIMEOUT);
    }

    /** Returns a time that suits a machine that is quick, as much longer as this one is slower. */
    Duration slowed(Duration quick) {
        return quick.multipliedBy(patience().toMillis()).dividedBy(PATIENCE.toMillis());
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
        Duration atMost = wanted.compareTo(most) < 0 ? wanted : most;
        return atMost.compareTo(least) > 0 ? atMost : least;
    }

    @Override
    public String toString() {
        return String.format(
                "This machine wakes a thread within %.1f ms and starts a JVM within %d ms: leases of %.1f s, patience of %d s",
                wake.toNanos() / 1e6,
                start.toMillis(),
                lease().toMillis() / 1e3,
                patience().toSeconds());
    }
}
