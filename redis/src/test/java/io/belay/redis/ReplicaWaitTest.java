package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order in which grants are told whose replicas were asked for together, and how often those are asked. */
class ReplicaWaitTest {
    private final List<CompletableFuture<Long>> asked = new ArrayList<>();
    private final List<Integer> told = new ArrayList<>();
    private final ReplicaWait replicas = new ReplicaWait(
            new ReplicaPolicy(1, Duration.ofMillis(100)),
            () -> {
                CompletableFuture<Long> one = new CompletableFuture<>();
                asked.add(one);
                return one;
            },
            "it");

    private static Answer granted(long sequence) {
        return Answer.of(State.GRANTED, 1).withClaim(sequence, 1_000);
    }

    private CompletableFuture<Answer> arrive(int which) {
        CompletableFuture<Answer> answer = replicas.behind(CompletableFuture.completedFuture(granted(which)));
        answer.whenComplete((done, error) -> told.add(which));
        return answer;
    }

    @Test
    void grantsAreToldInTheOrderInWhichTheyCame() {
        arrive(1);
        IntStream.rangeClosed(2, 5).forEach(this::arrive);
        assertThat(asked).hasSize(1);
        asked.get(0).complete(1L);
        assertThat(told).containsExactly(1);
        assertThat(asked).as("one more for all others").hasSize(2);
        asked.get(1).complete(1L);
        assertThat(told).containsExactly(1, 2, 3, 4, 5);
        assertThat(asked).hasSize(2);
    }

    @Test
    void soAreThoseThatCameAsOne() {
        List<Answer> answers = new ArrayList<>();
        List<CompletableFuture<Answer>> whom = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int which = i;
            answers.add(granted(i));
            whom.add(new CompletableFuture<>());
            whom.get(i - 1).whenComplete((done, error) -> told.add(which));
        }
        replicas.tell(answers, whom);
        arrive(4);
        assertThat(asked).hasSize(1);
        asked.get(0).complete(1L);
        assertThat(told).containsExactly(1, 2, 3);
        asked.get(1).complete(1L);
        assertThat(told).containsExactly(1, 2, 3, 4);
    }

    @Test
    void whatFailsFailsForAllThatWereAskedForTogether() {
        arrive(1);
        CompletableFuture<Answer> second = arrive(2);
        asked.get(0).completeExceptionally(new IllegalStateException("gone"));
        assertThat(told).containsExactly(1);
        asked.get(1).completeExceptionally(new IllegalStateException("gone again"));
        assertThatThrownBy(second::join).hasMessageContaining("gone again");
        CompletableFuture<Answer> third = arrive(3);
        asked.get(2).complete(0L);
        assertThat(third.join().confirmation().replicas()).isZero();
        assertThat(told).containsExactly(1, 2, 3);
    }

    /** As for want of memory: else the connection would be deaf for all grants from then on. */
    @Test
    void anErrorWhileTheyAreAskedFailsThoseGrantsAlone() {
        Queue<Supplier<CompletableFuture<Long>>> answers = new ArrayDeque<>();
        answers.add(() -> {
            throw new OutOfMemoryError("made up");
        });
        answers.add(() -> CompletableFuture.completedFuture(1L));
        ReplicaWait waits = new ReplicaWait(
                new ReplicaPolicy(1, Duration.ofMillis(100)),
                () -> answers.remove().get(),
                "it");
        CompletableFuture<Answer> first = waits.behind(CompletableFuture.completedFuture(granted(1)));
        assertThatThrownBy(first::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("it could not be asked for its replicas: ");
        CompletableFuture<Answer> second = waits.behind(CompletableFuture.completedFuture(granted(2)));
        assertThat(second.join().confirmation().replicas()).isOne();
    }

    @Test
    void whatTooFewMeanIsLoggedByWhatIsDoneAboutThem() {
        assertThat(loggedOfNone(false)).anyMatch(line -> line.endsWith("locks are granted, but not renewed"));
        assertThat(loggedOfNone(true)).anyMatch(line -> line.endsWith("no lock is granted or renewed"));
    }

    /** As over a long way, or while one catches up: its answers come just in time, or just too late. */
    @Test
    void aReplicaThatComesAndGoesIsToldOnce() {
        AtomicLong now = new AtomicLong();
        AtomicLong count = new AtomicLong();
        ReplicaWait waits = new ReplicaWait(
                new ReplicaPolicy(1, Duration.ofMillis(100)),
                () -> CompletableFuture.completedFuture(count.get()),
                "it",
                now::get);
        List<String> log = Told.logged(() -> {
            for (int i = 0; i < 100; i++) {
                count.set(i % 2);
                waits.behind(CompletableFuture.completedFuture(granted(1))).join();
                now.addAndGet(Duration.ofMillis(100).toNanos());
            }
            now.addAndGet(Duration.ofSeconds(10).toNanos());
            waits.behind(CompletableFuture.completedFuture(granted(1))).join();
        });
        assertThat(log)
                .filteredOn(line -> line.contains("replicas"))
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("locks are granted, but not renewed"),
                        line -> assertThat(line).endsWith("it has enough replicas again"));
    }

    private static List<String> loggedOfNone(boolean refuses) {
        return Told.logged(() -> new ReplicaWait(
                        new ReplicaPolicy(1, Duration.ofMillis(100), refuses),
                        () -> CompletableFuture.completedFuture(0L),
                        "it")
                .behind(CompletableFuture.completedFuture(granted(1)))
                .join());
    }
}
