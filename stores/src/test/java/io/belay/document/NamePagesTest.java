package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.Store.NamePage;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages of names, which are read beside the work for the locks. */
class NamePagesTest {
    private static final long LEASE = TimeUnit.SECONDS.toMicros(30);

    private final MapDocuments documents = new MapDocuments();
    private final Store store = new DocumentStore("test", documents, 1, new Store.Listener() {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    });

    @AfterEach
    void close() {
        store.close();
    }

    private Answer enter(String name, long number) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return store.send(Request.Enter.of(name, ClaimId.of(1, number), ClaimSpec.whole(LEASE), 0, owner))
                .toCompletableFuture()
                .join();
    }

    private CompletableFuture<NamePage> page(String cursor) {
        return store.names("x", cursor).toCompletableFuture();
    }

    @Test
    void followEachOtherToTheLast() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i <= 2 * MapDocuments.PAGE; i++) {
            names.add("x" + i);
            enter("x" + i, i);
        }
        enter("y", 99);
        List<String> listed = new ArrayList<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            NamePage page = page(cursor.get()).join();
            listed.addAll(page.names());
            cursor = page.next();
        }
        assertThat(listed).containsExactlyElementsOf(names);
    }

    /** One thread of the store is kept, and the other one is there for renewals, however many pages are asked for. */
    @Test
    void keepNoRenewalWaiting() {
        Answer held = enter("x", 1);
        CountDownLatch renewed = new CountDownLatch(1);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        documents.beforeListing = cursor -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            pass(renewed);
            atOnce.decrementAndGet();
        };
        List<CompletableFuture<NamePage>> pages = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pages.add(page(""));
        }
        for (int i = 0; i < 20; i++) {
            Request.Renew renewal = Request.Renew.of("x", ClaimId.of(1, 1), held.sequence(), LEASE, 0, false);
            assertThat(store.send(renewal).toCompletableFuture().join().state()).isEqualTo(Answer.State.GRANTED);
        }
        renewed.countDown();
        for (CompletableFuture<NamePage> page : pages) {
            assertThat(page.join()).isEqualTo(NamePage.last(List.of("x")));
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void oneThatCannotBeReadFailsAloneAndTheNextIsRead() {
        Answer held = enter("x", 1);
        documents.beforeListing = cursor -> {
            throw StoreException.unusable("may not be listed", null);
        };
        assertThatThrownBy(() -> page("").join()).cause().hasMessage("may not be listed");
        documents.beforeListing = cursor -> {
            throw new StackOverflowError();
        };
        assertThatThrownBy(() -> page("").join())
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue());
        documents.beforeListing = cursor -> {};
        assertThat(page("").join().names()).containsExactly("x");
        Request.Renew renewal = Request.Renew.of("x", ClaimId.of(1, 1), held.sequence(), LEASE, 0, false);
        assertThat(store.send(renewal).toCompletableFuture().join().state()).isEqualTo(Answer.State.GRANTED);
    }

    @Test
    void noneIsReadOnceTheClientIsClosed() {
        CountDownLatch reading = new CountDownLatch(1);
        documents.beforeListing = cursor -> {
            reading.countDown();
            await().until(() -> page("").isCompletedExceptionally()); // it is closed
        };
        CompletableFuture<NamePage> first = page("");
        CompletableFuture<NamePage> second = page("");
        pass(reading);
        store.close();
        assertThatThrownBy(second::join).cause().hasMessage("the client was closed");
        assertThat(first.join().names()).isEmpty();
        assertThatThrownBy(() -> page("").join()).cause().hasMessage("the client was closed");
    }

    private static void pass(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
