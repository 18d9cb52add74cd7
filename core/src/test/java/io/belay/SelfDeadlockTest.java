package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that wait for what they hold themselves, and those that have only passed their lease on. */
@Timeout(600)
class SelfDeadlockTest {
    private static final LockOptions THROWS = LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW);

    @TempDir
    private Path directory;

    private final Queue<Deadlock> told = new ConcurrentLinkedQueue<>();

    /** A client whose check for rings comes so late that what is told at once is told by the wait alone. */
    private Belay client(Duration check) {
        return Belay.connect(
                "memory:self",
                BelayOptions.defaults()
                        .withClientName("self")
                        .withDeadlockCheck(check)
                        .withListener(new BelayListener() {
                            @Override
                            public void deadlock(Deadlock deadlock) {
                                told.add(deadlock);
                            }
                        }));
    }

    @Test
    void oneThatWaitsForItselfGivesUpAtOnceAndIsRecorded() throws Exception {
        try (Recording recording = new Recording();
                Belay belay = client(Duration.ofHours(1))) {
            recording.enable("belay.Deadlock");
            recording.start();
            DistributedLock lock = belay.lock("own", THROWS);
            Lease held = lock.acquire();
            assertThatThrownBy(lock::acquire)
                    .isInstanceOf(DeadlockException.class)
                    .hasMessageContaining("'own'")
                    .hasMessageContaining("holds itself (token " + held.token() + ")");
            assertThat(held.isHeld()).isTrue();
            await().until(() -> !told.isEmpty());
            Deadlock.Edge edge = told.element().ring().get(0);
            assertThat(told).hasSize(1);
            assertThat(edge.holds()).isEqualTo("own");
            assertThat(edge.waitsFor()).isEqualTo("own");
            assertThat(edge.token()).isEqualTo(held.token());
            assertThat(edge.client()).isEqualTo("self");
            assertThat(edge.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(edge.victim()).isTrue();
            assertThat(edge.own()).isTrue();
            held.release();
            lock.acquire().close();
            recording.stop();
            check(recording);
        }
    }

    private void check(Recording recording) throws Exception {
        Path file = directory.resolve("deadlock.jfr");
        recording.dump(file);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("belay.Deadlock"))
                .toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("lock")).isEqualTo("own");
            assertThat(event.getString("waiter"))
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(event.getString("ring")).contains("holds 'own'", "waited for 'own'");
        });
    }

    @Test
    void aLeaseIsReportedOnceAndTheWaitGoesOn() throws Exception {
        try (Belay belay = client(Duration.ofMillis(50))) {
            Lease held = belay.lock("own").acquire();
            CompletableFuture<Lease> releases = CompletableFuture.supplyAsync(() -> {
                await().until(() -> !told.isEmpty());
                // Long enough for the check to look more than twice, too.
                await().pollDelay(Duration.ofMillis(400)).until(() -> true);
                held.release();
                return held;
            });
            try (Lease again = belay.lock("own").acquire()) {
                assertThat(again.token()).isGreaterThan(held.token());
            }
            releases.join();
            assertThat(told)
                    .singleElement()
                    .satisfies(deadlock ->
                            assertThat(deadlock.ring()).singleElement().matches(edge -> !edge.victim()));
        }
    }

    @Test
    void oneThatHasPassedItsLeaseOnAndWaitsForALimitedTimeIsNotTold() throws Exception {
        try (Belay belay = client(Duration.ofMillis(50))) {
            // The wait itself throws, too: what counts is that the lease may be given back by another thread.
            AtomicReference<Lease> passed =
                    new AtomicReference<>(belay.lock("own").acquire());
            CompletableFuture<Void> worker = CompletableFuture.runAsync(() -> {
                await().until(() -> belay.admin().waits().stream()
                        .anyMatch(wait -> wait.waited().toMillis() >= 500));
                passed.get().release();
            });
            assertThat(belay.lock("own", THROWS).tryAcquire(Pace.patience().multipliedBy(2)))
                    .hasValueSatisfying(Lease::release);
            worker.join();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void aReentrantViewThatMeetsItsOwnThreadsLeaseWaitsForIt() throws Exception {
        try (Belay belay = client(Duration.ofHours(1))) {
            Lease held = belay.lock("own", THROWS).acquire();
            assertThatThrownBy(() -> belay.reentrantLock("own").lock()).isInstanceOf(DeadlockException.class);
            held.release();
        }
    }
}
