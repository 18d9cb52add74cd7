package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.servers.Proof;
import io.belay.servers.Stalls;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes on the file store, stopped and killed at any instant: the others go on, and nobody is told wrong. {@code
 * -Dbelay.stops=N} stops them N times, and {@code -Dbelay.seed} at other instants.
 */
@Tag("processes")
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("long")
class StoppedProcessTest {
    private static final Duration LEASE = Duration.ofMillis(200);
    /** What a machine may add to a lease that has the time for these processes. */
    private static final Duration SLACK = Duration.ofMillis(1_500);

    private static final int MANY_TIMES = 5;

    private static final int STOPS = Integer.getInteger("belay.stops", Proof.times(20, 80));

    @TempDir
    private Path directory;

    private final List<ChildJvm> processes = new ArrayList<>();
    private long longest;
    private int judged;
    private LongBuffer figures;
    private Path figuresFile;

    @BeforeEach
    void start() throws Exception {
        figuresFile = directory.resolve("figures");
        figures = LockProcess.map(figuresFile);
        for (int i = 0; i < 3; i++) {
            processes.add(LockProcess.start(directory.resolve("locks"), figuresFile, i, LEASE));
        }
        awaitProgressOfAll();
    }

    @AfterEach
    void stop() {
        processes.forEach(ChildJvm::close);
    }

    private long count(int process) {
        return figures.get(LockProcess.COUNTS + process);
    }

    private void awaitProgressOfAll() {
        for (int i = 0; i < processes.size(); i++) {
            awaitProgress(i);
        }
    }

    /** Returns how long it took until the process had the lock again, in nanoseconds. */
    private long awaitProgress(int process) {
        long start = System.nanoTime();
        long before = count(process);
        while (count(process) == before) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("process %s stands still", process)
                    .isLessThan(Pace.patience());
            LockSupport.parkNanos(100_000);
        }
        return System.nanoTime() - start;
    }

    /**
     * Waits until the two others have had the lock, and returns how long that took, in nanoseconds. No longer than a lease, or
     * it is not judged as the machine had no time; several times as long is more than that can do.
     */
    private long awaitProgressOfOthers(int process) {
        try (Stalls stalls = Stalls.watch()) {
            long gap = Math.max(awaitProgress((process + 1) % 3), awaitProgress((process + 2) % 3));
            long most = LEASE.plus(SLACK).toMillis();
            if (gap < LEASE.plus(SLACK).toNanos()
                    || !stalls.areMany()
                    || stalls.given(gap / 1_000_000) > MANY_TIMES * most) {
                longest = Math.max(longest, gap);
                judged++;
                assertThat(Duration.ofNanos(gap)).isLessThan(LEASE.plus(SLACK));
            } else {
                System.out.println("belay: not so on this machine: it has time for three processes, " + stalls);
            }
            return gap;
        }
    }

    @Test
    void aProcessThatIsStoppedAtAnyInstantStopsTheOthersNoLongerThanItsLease() throws Exception {
        long seed = Long.getLong("belay.seed", 1);
        Random random = new Random(seed);
        long held = 0;
        for (int i = 0; i < STOPS || held == 0 && i < 10 * STOPS; i++) {
            int stopped = random.nextInt(3);
            LockSupport.parkNanos(random.nextInt(3_000_000));
            processes.get(stopped).signal("STOP");
            long gap = awaitProgressOfOthers(stopped);
            if (gap > LEASE.toNanos() / 2) {
                held++;
            }
            if (i % 10 == 0) {
                LockSupport.parkNanos(LEASE.toNanos() + random.nextInt(300_000_000)); // long past its lease
            }
            processes.get(stopped).signal("CONT");
        }
        awaitProgressOfAll();
        System.out.printf(
                "seed %d: %d stops, %d of them of the holder; the others stood still for at most %d ms (lease %d ms);"
                        + " %d losses told, %d acquisitions%n",
                seed,
                STOPS,
                held,
                longest / 1_000_000,
                LEASE.toMillis(),
                figures.get(LockProcess.LOSSES),
                count(0) + count(1) + count(2));
        assertThat(judged).isGreaterThan(STOPS / 2);
        assertThat(figures.get(LockProcess.VIOLATIONS)).isZero();
        assertThat(held).as("stops that hit the holder").isPositive();
        for (ChildJvm process : processes) {
            process.finish();
        }
    }

    @Test
    void aProcessThatIsKilledDelaysTheOthersNoLongerThanItsLeaseAndItsSuccessorIsServed() throws Exception {
        for (int i = 0; i < 10; i++) {
            int killed = i % 3;
            processes.get(killed).kill();
            awaitProgressOfOthers(killed);
            processes.set(killed, LockProcess.start(directory.resolve("locks"), figuresFile, killed, LEASE));
            awaitProgress(killed);
        }
        System.out.printf("10 kills: the others stood still for at most %d ms%n", longest / 1_000_000);
        assertThat(judged).isPositive();
        assertThat(figures.get(LockProcess.VIOLATIONS)).isZero();
    }
}
