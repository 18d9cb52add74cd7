package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of one resource comes in its order, whenever and however each step of it ends. */
class PerKeySequencerTest {
    private static final int MANY = 20_000;

    private final PerKeySequencer sequencer = new PerKeySequencer();
    /** The steps that have begun, in their order. */
    private final List<String> begun = new ArrayList<>();

    @AfterEach
    void nothingIsRememberedOfWhatIsOver() {
        await().until(() -> sequencer.size() == 0); // a step is told before it is over
    }

    private CompletionStage<String> take(String name, CompletionStage<String> step) {
        return sequencer.take("x", () -> {
            begun.add(name);
            return step;
        });
    }

    @Test
    void stepsComeOneAfterTheOtherAndAfterTheLeavesBeforeThem() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> leave = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> early = new CompletableFuture<>();
        CompletableFuture<String> late = new CompletableFuture<>();
        CompletionStage<String> one = take("first", first);
        sequencer.precede("x", leave);
        CompletionStage<String> two = take("second", second);
        sequencer.precede("x", late);
        sequencer.precede("x", early);
        CompletionStage<String> three = take("third", CompletableFuture.completedStage("3"));
        sequencer.take("y", () -> {
            begun.add("another resource's");
            return CompletableFuture.completedStage("");
        });
        assertThat(begun).containsExactly("first", "another resource's");
        first.complete("1");
        assertThat(one).isCompletedWithValue("1");
        assertThat(begun).as("before the leave is over").hasSize(2);
        early.complete("");
        leave.complete("");
        assertThat(begun).endsWith("second").hasSize(3);
        second.complete("2");
        assertThat(two).isCompletedWithValue("2");
        assertThat(begun).as("before the last leave is over").hasSize(3);
        late.complete("");
        assertThat(three).isCompletedWithValue("3");
        assertThat(begun).endsWith("third").hasSize(4);
    }

    @Test
    void whatFailsOrThrowsKeepsNobodyWaiting() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> leave = new CompletableFuture<>();
        CompletionStage<String> one = take("first", first);
        CompletionStage<String> thrower = sequencer.take("x", () -> {
            throw new IllegalStateException("thrown by the test");
        });
        CompletionStage<String> none = sequencer.take("x", () -> null);
        sequencer.precede("x", leave);
        CompletionStage<String> last = take("last", CompletableFuture.completedStage("4"));
        first.completeExceptionally(new IllegalStateException("failed by the test"));
        leave.completeExceptionally(new IllegalStateException("failed by the test"));
        assertThat(List.of(one, thrower, none))
                .allSatisfy(step -> assertThat(step).isCompletedExceptionally());
        assertThat(last).isCompletedWithValue("4");
    }

    /** One inside the other they would not fit on any stack. */
    @Test
    void manyMayEndAtOnce() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletionStage<String> one = take("first", first);
        CompletableFuture<String> leave = new CompletableFuture<>();
        List<CompletionStage<String>> others = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            others.add(take("other " + i, CompletableFuture.completedStage("")));
            sequencer.precede("x", i % 2 == 0 ? leave : CompletableFuture.completedStage(""));
        }
        leave.complete("");
        first.complete("1");
        assertThat(one).isCompletedWithValue("1");
        assertThat(others).allMatch(step -> step.toCompletableFuture().isDone());
        assertThat(begun).hasSize(MANY + 1).endsWith("other " + (MANY - 1));
    }

    /** As an answer may call for the next request. */
    @Test
    void whoIsToldMayAskForTheNextTurn() {
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<String> first = new CompletableFuture<>();
        takeAfter(first, told);
        first.complete("");
        assertThat(told).hasValue(MANY);
    }

    private void takeAfter(CompletableFuture<String> step, AtomicInteger told) {
        take("", step).thenAccept(done -> {
            if (told.incrementAndGet() < MANY) {
                takeAfter(CompletableFuture.completedFuture(""), told);
            }
        });
    }

    @Test
    void aStepMayAskForTheNextTurn() {
        CompletionStage<CompletionStage<String>> first = sequencer.take("x", () -> {
            CompletionStage<String> second = take("second", CompletableFuture.completedStage("2"));
            assertThat(second.toCompletableFuture()).as("within the first").isNotDone();
            return CompletableFuture.completedStage(second);
        });
        assertThat(first).isCompleted();
        assertThat(first.toCompletableFuture().join()).isCompletedWithValue("2");
    }

    @Test
    void ofStepsOfManyThreadsOneIsUnderWayAtATime() throws Exception {
        AtomicBoolean underWay = new AtomicBoolean();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<CompletableFuture<?>> all = new ConcurrentLinkedQueue<>();
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        boolean later = i % 3 == 0;
                        all.add(sequencer
                                .take("x", () -> {
                                    if (!underWay.compareAndSet(false, true)) {
                                        wrong.add("two at a time");
                                    }
                                    Runnable end = () -> underWay.set(false);
                                    return later ? CompletableFuture.runAsync(end) : done(end);
                                })
                                .toCompletableFuture());
                        sequencer.precede("x", later ? CompletableFuture.runAsync(() -> {}) : done(() -> {}));
                    }
                }))
                .limit(4)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(Pace.seconds(), TimeUnit.SECONDS);
        sequencer.take("x", () -> done(() -> {})).toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(wrong).isEmpty();
    }

    private static CompletableFuture<Void> done(Runnable end) {
        end.run();
        return CompletableFuture.completedFuture(null);
    }
}
