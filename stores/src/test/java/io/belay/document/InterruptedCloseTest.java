package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The thread that closes a store is interrupted, as that of an executor which is ended at once. */
class InterruptedCloseTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private final MapDocuments documents = new MapDocuments();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private final Store store = new DocumentStore("close-test", documents, 1, new Store.Listener() {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    });

    /** Has the thread of the store write that is waited for first, and for long. */
    private void write() {
        if (!Thread.currentThread().getName().endsWith("-0")) {
            throw StoreException.unreachable("the other thread is to write", null);
        }
        writing.countDown();
        try {
            written.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Answer> leave() {
        return store.send(Request.Leave.of("x", ID, false)).toCompletableFuture();
    }

    private static boolean isAlive(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name));
    }

    /** Else the database takes back what was being left, and others wait for the whole lease. */
    @Test
    void whatIsBeingWrittenIsWaitedFor() throws Exception {
        Request.Enter enter = Request.Enter.of("x", ID, ClaimSpec.whole(30_000_000), 0, OWNER);
        assertThat(store.send(enter).toCompletableFuture().join().state()).isEqualTo(State.GRANTED);
        documents.beforeWriting = changes -> write();
        CompletableFuture<Answer> leaving = leave();
        while (writing.getCount() > 0) {
            CompletableFuture<Answer> asked = leaving;
            await().until(() -> writing.getCount() == 0 || asked.isDone());
            leaving = asked.isDone() ? leave() : asked;
        }
        CompletableFuture<Answer> left = leaving;
        AtomicBoolean answered = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        long begin = System.nanoTime();
        Thread closer = new Thread(() -> {
            Thread.currentThread().interrupt();
            store.close();
            answered.set(left.isDone());
            interrupted.set(Thread.interrupted());
        });
        closer.start();
        await().until(() -> !isAlive("close-test-1") && closer.getState() != Thread.State.RUNNABLE);
        written.countDown();
        closer.join();
        assertThat(interrupted).as("kept for later").isTrue();
        boolean late = System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(2); // as long as a close waits
        assertThat(answered.get() || late).as("left before the end").isTrue();
        if (answered.get()) {
            assertThat(left.join().state()).isEqualTo(State.LEFT);
        }
    }
}
