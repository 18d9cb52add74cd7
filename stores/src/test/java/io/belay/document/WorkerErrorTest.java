package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.spi.Push;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Neither a driver that throws an error nor an interrupt ends a thread: the client would stand still for ever. */
class WorkerErrorTest {
    private static final int MORE_THAN_THREADS = 5;

    private final MapDocuments documents = new MapDocuments();
    private final Store store = new DocumentStore("worker-error-test", documents, 1, new Store.Listener() {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    });

    @AfterEach
    void close() {
        store.close();
    }

    private StoreException failure(Error error) {
        documents.beforeReading = resources -> {
            throw error;
        };
        StoreException[] last = new StoreException[1];
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            CompletionStage<?> asked = store.inspect("x");
            assertThatThrownBy(() -> asked.toCompletableFuture().join())
                    .cause()
                    .isInstanceOfSatisfying(StoreException.class, e -> last[0] = e);
        }
        documents.beforeReading = resources -> {};
        assertThat(store.inspect("x").toCompletableFuture().join().resource()).isEmpty();
        return last[0];
    }

    @Test
    void anInterruptDoesNotEndThem() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("worker-error-test-")) {
                thread.interrupt();
                await().until(() -> !thread.isInterrupted());
            }
        }
        assertThat(store.inspect("x").toCompletableFuture())
                .succeedsWithin(Pace.patience())
                .satisfies(seen -> assertThat(seen.resource()).isEmpty());
    }

    @Test
    void whatMayPassIsTriedAgain() {
        assertThat(failure(new StackOverflowError()).isTemporary()).isTrue();
        assertThat(failure(new OutOfMemoryError("says the test")).isTemporary()).isTrue();
    }

    @Test
    void whatWillNotPassIsSaidSo() {
        assertThat(failure(new NoClassDefFoundError("org/example/Driver")))
                .hasMessageContaining("NoClassDefFoundError: org/example/Driver")
                .matches(e -> !e.isTemporary());
    }
}
