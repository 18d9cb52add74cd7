package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Neither a driver that throws an error nor an interrupt ends a thread: the client would stand still for ever. */
class WorkerErrorTest {
    private static final int MORE_THAN_THREADS = 5;
    private static final long LEASE = 30_000_000;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private final MapDocuments documents = new MapDocuments();
    private final Store store = store(documents);

    private static Store store(MapDocuments documents) {
        return new DocumentStore("worker-error-test", documents, 1, new Store.Listener() {
            @Override
            public void pushed(Push push) {}

            @Override
            public void reconnected() {}
        });
    }

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

    /** As where there is no thread to listen by. Its connections would be nobody's, and each new try would make more. */
    @Test
    void aStoreThatThereIsNotKeepsNothingOpen() {
        MapDocuments others = new MapDocuments();
        others.beforeListening = () -> {
            throw new OutOfMemoryError("says the test");
        };
        assertThatThrownBy(() -> store(others)).isInstanceOf(OutOfMemoryError.class);
        assertThat(others.closed).hasValue(1);
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

    /** A database that refuses each of many requests would have to make as many. */
    @Test
    void aRefusalIsNoReasonToConnectAnew() {
        documents.beforeReading = resources -> {
            throw StoreException.unusable("says the test", null);
        };
        long begin = System.nanoTime();
        for (int i = 0; i < 30; i++) {
            CompletionStage<?> asked = store.inspect("x");
            assertThatThrownBy(() -> asked.toCompletableFuture().join()).hasMessageContaining("says the test");
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        assertThat(documents.connections.get()).isLessThanOrEqualTo((int) (MORE_THAN_THREADS + 2 * seconds));
    }

    /** The lock has gone to the next one, who learns of it later; somebody is to know why it takes so long. */
    @Test
    void thatNobodyCanBeCalledIsSaidAndFailsNothing() {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            handOver("x0", StoreException.unreachable("cannot call now", null));
            for (int i = 1; i <= MORE_THAN_THREADS; i++) {
                handOver("x" + i, StoreException.unusable("cannot call ever", null));
            }
            Log.flush(Pace.patience());
        } finally {
            System.setErr(before);
        }
        List<String> said = log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("cannot call"))
                .toList();
        assertThat(said).as("by two threads").hasSizeBetween(1, 2).allMatch(line -> line.contains("cannot call ever"));
    }

    /** Gives a lock back that another client waits for, which cannot be called. */
    private void handOver(String resource, StoreException failure) {
        documents.beforeCalling = calls -> {
            throw failure;
        };
        ClaimId holder = ClaimId.of(1, 1);
        send(Request.Enter.of(resource, holder, ClaimSpec.whole(LEASE), 0, OWNER));
        send(Request.Enter.of(resource, ClaimId.of(2, 1), ClaimSpec.whole(LEASE), 0, OWNER));
        assertThat(send(Request.Leave.of(resource, holder, false)).state()).isEqualTo(Answer.State.LEFT);
    }

    private Answer send(Request request) {
        return store.send(request).toCompletableFuture().join();
    }
}
