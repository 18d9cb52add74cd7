package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntranceTest {
    private static final Access ACCESS = new Access(false);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);
    private static final HostIdentity CONTAINER = new HostIdentity("container", "", "");

    @TempDir
    Path directory;

    @TempDir
    Path beside;

    private ChildJvm standing(String how) throws IOException {
        ChildJvm child = BootChild.start(directory, Files.write(beside.resolve("inside"), new byte[8]));
        assertThat(child.ask(how)).isEqualTo("stands");
        return child;
    }

    @Test
    void whoIsStoppedOnTheWayToItsBootKeepsOnlyOtherBootsOut() throws Exception {
        try (ChildJvm stopped = standing("stand")) {
            stopped.signal("STOP");
            Entrance.enter(directory, ACCESS, SHORT).close();
            try (Entrance entrance = Entrance.enter(directory, ACCESS, SHORT)) {
                assertThatThrownBy(entrance::beAlone)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContainingAll("another process has been entering " + directory, "end it")
                        .hasMessageNotContaining("\n");
            }
            stopped.kill();
            try (Entrance entrance = Entrance.enter(directory, ACCESS)) {
                entrance.beAlone();
            }
        }
    }

    @Test
    void whoIsAloneIsWaitedFor() throws Exception {
        try (ChildJvm alone = standing("stand alone")) {
            assertThatThrownBy(() -> Entrance.enter(directory, ACCESS, SHORT))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("another process has been entering " + directory);
            alone.kill();
            Entrance.enter(directory, ACCESS).close();
        }
    }

    /** The kernel takes the locks of a process that closes any channel of the file, whichever of its threads does. */
    @Test
    void threadsOfOneProcessTakeTurnsAndNoneLosesTheLock() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            Callable<Boolean> work = () -> {
                boolean alone = true;
                for (int i = 0; i < 50; i++) {
                    try (Entrance entrance =
                            Entrance.enter(directory, ACCESS, Pace.patience().toNanos())) {
                        entrance.beAlone();
                        alone &= inside.incrementAndGet() == 1;
                        inside.decrementAndGet();
                    }
                }
                return alone;
            };
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(work));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        try (Entrance entrance = Entrance.enter(directory, ACCESS);
                ChildJvm child = BootChild.start(directory, Files.write(beside.resolve("inside"), new byte[8]))) {
            entrance.beAlone();
            assertThatThrownBy(() -> Entrance.enter(directory, ACCESS, SHORT)).isInstanceOf(StoreException.class);
            assertThat(child.ask("try")).startsWith("refused: another process has been entering");
            entrance.close();
            assertThat(child.ask("try")).isEqualTo("free");
        }
    }

    @Test
    void theFileOfTheLockIsNoLitter() throws IOException {
        FakeClock clock = new FakeClock();
        Client.open(directory, CONTAINER, clock.clock()).close();
        Path file = directory.resolve(Entrance.FILE);
        Path litter = Files.createFile(directory.resolve(Entrance.FILE + ".1"));
        for (Path path : List.of(file, litter)) {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(600)));
        }
        Client.open(directory, CONTAINER, clock.clock()).close();
        assertThat(file).exists();
        assertThat(litter).doesNotExist();
    }
}
