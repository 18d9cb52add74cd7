package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is done later is done, in its order, and not too soon. */
class AfterwardsTest {
    private static final long MILLIS = 40;
    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<Long> waited = new CopyOnWriteArrayList<>();

    private void runLater(Afterwards afterwards) {
        long begun = System.nanoTime();
        afterwards.run(() -> waited.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
    }

    @Test
    void everyTaskRunsOnceAndNotTooSoon() {
        try (Afterwards afterwards = new Afterwards("test", MILLIS)) {
            for (int i = 0; i < 100; i++) {
                runLater(afterwards);
            }
            await().atMost(SOON).until(() -> waited.size() == 100);
            runLater(afterwards); // after a pause without any
            await().atMost(SOON).until(() -> waited.size() == 101);
            assertThat(waited).allMatch(millis -> millis >= MILLIS);
        }
    }

    @Test
    void aTaskThatFailsKeepsNoOtherFromRunning() {
        try (Afterwards afterwards = new Afterwards("test", MILLIS)) {
            afterwards.run(() -> {
                throw new IllegalStateException("thrown by the test");
            });
            runLater(afterwards);
            await().atMost(SOON).until(() -> waited.size() == 1);
        }
    }

    @Test
    void nothingRunsOnceItIsClosed() {
        Afterwards afterwards = new Afterwards("test", MILLIS);
        runLater(afterwards);
        afterwards.close();
        runLater(afterwards);
        try (Afterwards other = new Afterwards("other", 4 * MILLIS)) {
            other.run(() -> waited.add(-1L));
            await().atMost(SOON).until(() -> waited.contains(-1L));
        }
        assertThat(waited).containsExactly(-1L);
    }
}
