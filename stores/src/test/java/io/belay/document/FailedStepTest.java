package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources that are read and written together, one of which cannot be. */
class FailedStepTest {
    private static final long LEASE = 30_000_000;
    private static final int COUNT = 20;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

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

    private static ClaimId id(int i) {
        return ClaimId.of(1, i);
    }

    /** Enters a claim on each of x1, x2 and so on; returns their renewals. */
    private List<Request.Renew> held() {
        List<Request.Renew> renewals = new ArrayList<>();
        for (int i = 1; i <= COUNT; i++) {
            Request.Enter enter =
                    Request.Enter.of("x" + i, id(i), ClaimSpec.whole(LEASE).withIfFree(true), 0, OWNER);
            long sequence = store.send(enter).toCompletableFuture().join().sequence();
            renewals.add(Request.Renew.of("x" + i, id(i), sequence, LEASE, 0, false));
        }
        return renewals;
    }

    /** Asks something while both threads of the store are busy, so that it is done in one step. */
    private <T> T together(Supplier<T> question) {
        while (true) {
            CountDownLatch busy = new CountDownLatch(2);
            CountDownLatch asked = new CountDownLatch(1);
            AtomicBoolean alone = new AtomicBoolean(true);
            documents.beforeReading = resources -> {
                if (resources.stream().anyMatch(name -> name.startsWith("busy"))) {
                    alone.compareAndSet(true, resources.size() == 1);
                    busy.countDown();
                    awaitUninterruptibly(asked);
                }
            };
            try {
                store.inspect("busy1");
                await().until(() -> busy.getCount() == 1);
                store.inspect("busy2");
                await().until(() -> busy.getCount() == 0);
                // A look that was due would keep its resource, and what is asked of that would be another step.
                if (alone.get()) {
                    return question.get();
                }
            } finally {
                asked.countDown();
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean has(List<Documents.Change> changes, String resource) {
        return changes.stream().anyMatch(change -> change.resource().equals(resource));
    }

    private static Answer answer(CompletionStage<Answer> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertFailsForNow(CompletionStage<Answer> stage) {
        assertThatThrownBy(() -> answer(stage))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue());
    }

    private static void assertFails(CompletionStage<Answer> stage) {
        assertThatThrownBy(() -> answer(stage)).cause().isInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failsTheRenewalOfThatOneAlone(boolean temporary) {
        List<Request.Renew> renewals = held();
        Queue<List<Documents.Change>> steps = new ConcurrentLinkedQueue<>();
        documents.beforeWriting = changes -> {
            steps.add(changes);
            if (has(changes, "x7")) {
                throw temporary ? StoreException.unreachable("locked", null) : StoreException.unusable("refused", null);
            }
        };
        for (int round = 1; round <= 2; round++) {
            List<? extends CompletionStage<Answer>> answers = together(() -> store.renew(renewals));
            for (int i = 0; i < COUNT; i++) {
                if (renewals.get(i).resource().equals("x7")) {
                    assertFails(answers.get(i));
                } else {
                    assertThat(answer(answers.get(i)).state()).isEqualTo(State.GRANTED);
                }
            }
            if (round == 1) {
                assertThat(steps.element()).as("the first step").hasSize(COUNT);
                steps.clear();
            }
        }
        assertThat(steps)
                .as("steps of which that one is a part, once it is known")
                .allSatisfy(step -> {
                    if (has(step, "x7")) {
                        assertThat(step).hasSize(1);
                    }
                });
    }

    /** Else what was released would seem to have been lost. */
    @Test
    void isNotTakenTwiceWhereThatMatters() {
        List<Request.Renew> renewals = held();
        AtomicInteger lost = new AtomicInteger();
        documents.afterWriting = changes -> {
            if (changes.size() > 1 && lost.getAndIncrement() == 0) {
                throw StoreException.unreachable("the answer was lost", null);
            }
        };
        List<CompletionStage<Answer>> answers = together(() -> List.of(
                store.send(Request.Leave.of("x1", id(1), false)),
                store.send(renewals.get(1)),
                store.send(renewals.get(2))));
        assertFails(answers.get(0));
        assertThat(answer(answers.get(1)).state()).isEqualTo(State.GRANTED);
        assertThat(answer(answers.get(2)).state()).isEqualTo(State.GRANTED);
        assertThat(lost).hasValue(1);
    }

    /** Of what is written together a part may be there when another part is refused for good. */
    @Test
    void whatMayHaveBeenReleasedIsNotSaidToBeGoneAsAnotherWasRefused() {
        List<Request.Renew> renewals = held();
        documents.afterWriting = changes -> {
            if (changes.size() > 1) {
                throw StoreException.unusable("refused", null);
            }
        };
        Request.Enter enter =
                Request.Enter.of("y", id(1), ClaimSpec.whole(LEASE).withIfFree(true), 0, OWNER);
        Request.Leave leave = Request.Leave.of("x1", id(1), false);
        List<CompletionStage<Answer>> answers =
                together(() -> List.of(store.send(leave), store.send(renewals.get(1)), store.send(enter)));
        assertThatThrownBy(() -> answer(answers.get(0)))
                .as("whoever sends it again knows that it may have been done")
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessageContaining("refused");
        assertThat(answer(answers.get(1)).state()).isEqualTo(State.GRANTED);
        assertThat(answer(answers.get(2)).state()).isEqualTo(State.GRANTED);
        assertThat(answer(store.send(leave)).state()).isEqualTo(State.GONE);
    }

    /** Nobody else would tell those who asked. */
    @Test
    void failsForNowAlsoIfAnErrorComesWhileItIsFailed() {
        held();
        documents.beforeWriting = changes -> {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new StackOverflowError("says the test");
                }
            };
        };
        List<CompletionStage<Answer>> answers = together(() -> List.of(
                store.send(Request.Leave.of("x1", id(1), false)), store.send(Request.Leave.of("x2", id(2), false))));
        answers.forEach(answer -> {
            await().until(answer.toCompletableFuture()::isDone);
            assertFailsForNow(answer);
        });
    }

    @Test
    void aReleaseThatIsRefusedFailsForGoodAndAlone() {
        held();
        documents.beforeWriting = changes -> {
            if (has(changes, "x7")) {
                throw StoreException.unusable("refused", null);
            }
        };
        List<Request> leaves = new ArrayList<>();
        for (int i = 1; i <= COUNT; i++) {
            leaves.add(Request.Leave.of("x" + i, id(i), false));
        }
        together(() -> leaves.stream().map(store::send).toList()).forEach(FailedStepTest::assertFailsForNow);
        for (Request leave : leaves) {
            if (leave.resource().equals("x7")) {
                assertThatThrownBy(() -> answerInTheEnd(leave))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isTemporary()).isFalse());
            } else {
                assertThat(answerInTheEnd(leave).state()).isEqualTo(State.LEFT);
            }
        }
    }

    /** Sends a request again, as the engine does, until it is answered or fails for good. */
    private Answer answerInTheEnd(Request request) {
        while (true) {
            try {
                return answer(store.send(request));
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof StoreException known) || !known.isTemporary()) {
                    throw e;
                }
            }
        }
    }

    /** Nothing was written then. */
    @Test
    void aReleaseIsDoneAllTheSameIfAnotherCannotBeRead() {
        held();
        CompletionStage<Answer> left = together(() -> {
            documents.beforeReading = resources -> {
                if (resources.contains("y")) {
                    throw StoreException.unusable("damaged", null);
                }
            };
            store.inspect("y");
            return store.send(Request.Leave.of("x1", id(1), false));
        });
        assertThat(answer(left).state()).isEqualTo(State.LEFT);
    }

    /** The engine sends it beside a renewal, which is not to fail because of it. */
    @Test
    void aDescriptionIsTriedAgainWithTheRenewalBesideIt() {
        List<Request.Renew> renewals = held();
        Request.Renew renewal = renewals.get(0);
        Owner other = Owner.of("client", "host", 1, "another thread");
        AtomicInteger lost = new AtomicInteger();
        documents.afterWriting = changes -> {
            if (changes.size() > 1 && lost.getAndIncrement() == 0) {
                throw StoreException.unreachable("the answer was lost", null);
            }
        };
        List<CompletionStage<Answer>> answers = together(() -> List.of(
                store.send(renewal),
                store.send(Request.Describe.of(renewal.resource(), renewal.id(), renewal.sequence(), other)),
                store.send(renewals.get(1))));
        answers.forEach(answer -> assertThat(answer(answer).state()).isEqualTo(State.GRANTED));
        assertThat(lost).hasValue(1);
        Resource described = store.inspect(renewal.resource())
                .toCompletableFuture()
                .join()
                .resource()
                .orElseThrow();
        assertThat(described.claims().get(0).owner()).isEqualTo(other);
    }

    /** Who fixes the end of a claim relies on it: nothing renews the claim any more. */
    @Test
    void anEndIsNotToldBeforeItIsWritten() {
        Request.Renew renewal = held().get(0);
        AtomicInteger steps = new AtomicInteger();
        documents.beforeWriting = changes -> {
            if (steps.getAndIncrement() == 0) {
                throw StoreException.unreachable("locked", null);
            }
        };
        Request fix = Request.Fix.of(renewal.resource(), renewal.id(), renewal.sequence(), 0, 2 * LEASE);
        assertFails(store.send(fix));
        Answer fixed = answer(store.send(fix));
        assertThat(fixed.reweights()).isEqualTo(1);
        assertThat(fixed.deadline() - fixed.time()).isEqualTo(2 * LEASE);
        assertThat(steps).hasValue(2);
    }

    @Test
    void isNotTriedOneByOneForLongIfNoneCanBe() {
        List<Request.Renew> renewals = held();
        AtomicInteger steps = new AtomicInteger();
        documents.beforeWriting = changes -> {
            steps.incrementAndGet();
            throw StoreException.unreachable("locked", null);
        };
        together(() -> store.renew(renewals)).forEach(FailedStepTest::assertFails);
        assertThat(steps).hasValue(3);
    }

    /** One for each would be some hundred new connections at once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void needOneConnectionIfEachIsRefusedOrEnded(boolean temporary) {
        List<Request.Renew> renewals = held();
        documents.survives = true;
        documents.beforeWriting = changes -> {
            throw temporary ? StoreException.unreachable("ended", null) : StoreException.unusable("refused", null);
        };
        together(() -> "both threads are connected");
        documents.connections.set(0);
        for (int round = 0; round < 3; round++) { // of an outage not all are tried each time
            together(() -> store.renew(renewals)).forEach(FailedStepTest::assertFails);
        }
        // None while its connection is young; a look may have come due just then, and have the other thread do
        // what is asked of its resource.
        assertThat(documents.connections.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void failTogetherIfNoConnectionIsToBeHad() {
        List<Request.Renew> renewals = held();
        documents.beforeWriting = changes -> {
            throw StoreException.unreachable("broken", null);
        };
        together(() -> "both threads are connected");
        documents.beforeConnecting = () -> {
            throw StoreException.unusable("the password is refused", null);
        };
        documents.connections.set(0);
        together(() -> store.renew(renewals)).forEach(FailedStepTest::assertFails);
        // Each look that comes due meanwhile tries to connect, too, by the other thread.
        assertThat(documents.connections.get()).isBetween(1, COUNT - 1);
        documents.beforeConnecting = () -> {};
    }

    /** Else all threads would wait for what somebody keeps locked, and nothing else be renewed. */
    @Test
    void areDoneApartByOneThreadAtATime() throws Exception {
        List<Request.Renew> renewals = held();
        AtomicBoolean known = new AtomicBoolean();
        AtomicInteger waiting = new AtomicInteger();
        CountDownLatch unlocked = new CountDownLatch(1);
        documents.beforeWriting = changes -> {
            if (has(changes, "x1") || has(changes, "x2")) {
                if (!known.get()) {
                    throw StoreException.unreachable("locked", null);
                }
                waiting.incrementAndGet();
                awaitUninterruptibly(unlocked);
            }
        };
        together(() -> store.renew(renewals.subList(0, 3))).forEach(FailedStepTest::assertFails);
        known.set(true);
        CompletionStage<Answer> one = store.send(renewals.get(0));
        CompletionStage<Answer> other = store.send(renewals.get(1));
        try {
            await().until(() -> waiting.get() > 0);
            CompletionStage<Answer> free = store.send(renewals.get(3));
            assertThat(free.toCompletableFuture()
                            .get(Pace.seconds(), TimeUnit.SECONDS)
                            .state())
                    .isEqualTo(State.GRANTED);
        } finally {
            unlocked.countDown();
        }
        assertThat(answer(one).state()).isEqualTo(State.GRANTED);
        assertThat(answer(other).state()).isEqualTo(State.GRANTED);
    }
}
