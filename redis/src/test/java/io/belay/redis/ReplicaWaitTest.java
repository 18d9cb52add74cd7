package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
}
