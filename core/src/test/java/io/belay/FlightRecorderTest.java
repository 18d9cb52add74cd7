package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java Flight Recorder has recorded of a few locks. */
class FlightRecorderTest {
    private static final int SHORT = 20;
    private static final Set<String> OURS = Set.of("jfr", "both", "short");

    @TempDir
    Path directory;

    @Test
    void waitsHoldsAndLossesAreRecorded() throws Exception {
        try (Recording recording = new Recording();
                Belay a = Belay.connect("memory:recorded");
                Belay b = Belay.connect("memory:recorded")) {
            recording.enable("belay.Wait").withThreshold(Duration.ofMillis(10));
            recording.enable("belay.Hold").withThreshold(Duration.ofMillis(10));
            recording.enable("belay.Lost");
            recording.start();
            Lease held = a.lock("jfr").acquire();
            CompletableFuture<Lease> next = CompletableFuture.supplyAsync(() -> {
                try {
                    return b.lock("jfr").acquire();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            // As long as what is to be recorded.
            await().until(() ->
                    b.admin().waits().stream().anyMatch(wait -> wait.waited().toMillis() >= 20));
            held.release();
            CompletableFuture<LeaseLostException> loss = new CompletableFuture<>();
            next.get().onLost(loss::complete);
            await().until(() -> b.admin()
                            .inspect("jfr")
                            .claims()
                            .get(0)
                            .held()
                            .orElseThrow()
                            .toMillis()
                    >= 20);
            a.admin().forceRelease("jfr");
            loss.get();
            next.get().close(); // as a try block does
            DistributedReadWriteLock both = a.readWriteLock("both");
            Lease reader = both.downgrade(both.writeLock().acquire());
            await().until(() -> reader.isHeld()
                    && a.admin().holds().stream()
                            .anyMatch(own ->
                                    own.name().equals("both") && own.held().toMillis() >= 20));
            reader.release();
            for (int i = 0; i < SHORT; i++) {
                a.lock("short").acquire().close();
            }
            recording.stop();
            Path file = directory.resolve("belay.jfr");
            recording.dump(file);
            List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream() // of other tests' locks, too
                    .filter(event -> event.hasField("lock") && OURS.contains(event.getString("lock")))
                    .toList();
            check(events, held);
            assertThat(events)
                    .as("what a hold has become")
                    .anyMatch(event -> "belay.Hold".equals(event.getEventType().getName())
                            && event.getLong("token") == reader.token()
                            && event.getDuration().toMillis() > 19);
        }
    }

    private static void check(List<RecordedEvent> events, Lease held) {
        RecordedEvent hold = only(events, "belay.Hold", held.token());
        assertThat(hold.getString("lock")).isEqualTo("jfr");
        assertThat(hold.getString("outcome")).isEqualTo("released");
        assertThat(hold.getDuration()).isGreaterThan(Duration.ofMillis(19));
        assertThat(hold.getStackTrace()).isNull();
        RecordedEvent lost = events.stream()
                .filter(event -> event.getEventType().getName().equals("belay.Lost"))
                .findFirst()
                .orElseThrow();
        assertThat(lost.getString("reason")).isEqualTo("FORCED");
        assertThat(lost.getString("forcedBy")).contains("belay");
        assertThat(lost.getStackTrace()).isNotNull();
        RecordedEvent ended = only(events, "belay.Hold", lost.getLong("token"));
        assertThat(ended.getString("outcome")).isEqualTo("lost");
        RecordedEvent wait = only(events, "belay.Wait", lost.getLong("token"));
        assertThat(wait.getString("outcome")).isEqualTo("acquired");
        assertThat(wait.getDuration()).isGreaterThan(Duration.ofMillis(15));
        // Below the threshold, but where the machine has stood still in the middle of one.
        List<RecordedEvent> shorts = events.stream()
                .filter(event -> "short".equals(event.getString("lock")))
                .toList();
        assertThat(shorts)
                .hasSizeLessThan(SHORT)
                .allSatisfy(event -> assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(9)));
    }

    private static RecordedEvent only(List<RecordedEvent> events, String type, long token) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(type) && event.getLong("token") == token)
                .reduce((one, other) -> {
                    throw new AssertionError("two of " + type);
                })
                .orElseThrow();
    }

    /** As those that are linked for one application: what is not asked for is not there. */
    @Test
    void aRuntimeWithoutFlightRecorderRecordsNothing() throws IOException {
        try (ChildJvm child = ChildJvm.startWith(
                List.of(),
                List.of("--limit-modules", "java.base"),
                ChildJvm.classPath(WithoutFlightRecorder.class),
                WithoutFlightRecorder.class)) {
            assertThat(child.line()).isEqualTo("jdk.jfr absent: RELEASED");
        }
    }

    /** A program that takes a lock, is told of a loss and waits. */
    static final class WithoutFlightRecorder {
        private WithoutFlightRecorder() {}

        public static void main(String[] arguments) throws Exception {
            boolean present = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
            try (Belay a = Belay.connect("memory:recorded");
                    Belay b = Belay.connect("memory:recorded")) {
                Lease lost = a.lock("jfr").acquire();
                CompletableFuture<Lease> next = b.lock("jfr").acquireAsync();
                CompletableFuture<LeaseLostException> loss = new CompletableFuture<>();
                lost.onLost(loss::complete);
                b.admin().forceRelease("jfr");
                loss.get();
                System.out.println("jdk.jfr " + (present ? "present: " : "absent: ")
                        + next.get().release());
            }
        }
    }
}
