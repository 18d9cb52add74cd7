package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is done later is done, in its order, and not too soon. */
class DelayedTasksTest {
    private static final long MILLIS = 40;

    private final List<Long> waited = new CopyOnWriteArrayList<>();

    private void runLater(DelayedTasks delayed) {
        long begun = System.nanoTime();
        delayed.run(() -> waited.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
    }

    @Test
    void everyTaskRunsOnceAndNotTooSoon() {
        try (DelayedTasks delayed = new DelayedTasks("test", MILLIS)) {
            for (int i = 0; i < 100; i++) {
                runLater(delayed);
            }
            await().until(() -> waited.size() == 100);
            runLater(delayed); // after a pause without any
            await().until(() -> waited.size() == 101);
            assertThat(waited).allMatch(millis -> millis >= MILLIS);
        }
    }

    /** An Error, too: the look that it ends is to be followed by others. */
    @Test
    void aTaskThatFailsKeepsNoOtherFromRunning() {
        try (DelayedTasks delayed = new DelayedTasks("test", MILLIS)) {
            delayed.run(() -> {
                throw new OutOfMemoryError("thrown by the test");
            });
            runLater(delayed);
            await().until(() -> waited.size() == 1);
        }
    }

    /** It may be a thread of the application's that was granted a lock first. */
    @Test
    void theirThreadHasNothingOfWhoHandsTheFirstOneOver() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        AtomicReference<String> seen = new AtomicReference<>();
        tenant.set("a tenant");
        try (DelayedTasks delayed = new DelayedTasks("test", MILLIS)) {
            delayed.run(() -> seen.set(String.valueOf(tenant.get())));
            await().until(() -> seen.get() != null);
        } finally {
            tenant.remove();
        }
        assertThat(seen).hasValue("null");
    }

    @Test
    void nothingRunsOnceItIsClosed() {
        DelayedTasks delayed;
        long begun;
        do { // its time may be over before it is closed
            waited.clear();
            begun = System.nanoTime();
            delayed = new DelayedTasks("test", MILLIS);
            runLater(delayed);
            delayed.close();
        } while (System.nanoTime() - begun >= TimeUnit.MILLISECONDS.toNanos(MILLIS));
        runLater(delayed);
        try (DelayedTasks other = new DelayedTasks("other", 4 * MILLIS)) {
            other.run(() -> waited.add(-1L));
            await().until(() -> waited.contains(-1L));
        }
        assertThat(waited).containsExactly(-1L);
    }
}
