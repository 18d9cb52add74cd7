package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a connection that pushes have to themselves counts as silent, and when it is asked. */
class PushWatchTest {
    private static final int LIMIT = AnswerWatch.LOOKS;

    private final List<CompletableFuture<Void>> questions = new ArrayList<>();
    private final PushWatch watch = new PushWatch(() -> {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        questions.add(answer);
        return answer;
    });

    private CompletableFuture<Void> last() {
        return questions.get(questions.size() - 1);
    }

    private int looksUntilSilent() {
        for (int looks = 1; looks <= 100; looks++) {
            if (watch.isSilent(false)) {
                return looks;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void whileTheOtherConnectionIsNotInUseNothingIsAsked() {
        assertThat(looksUntilSilent()).isEqualTo(Integer.MAX_VALUE);
        assertThat(questions).isEmpty();
    }

    @Test
    void oneQuestionIsUnderWayAtATime() {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(watch.isSilent(true)).isFalse();
        }
        assertThat(questions).hasSize(1);
        last().complete(null);
        assertThat(watch.isSilent(true)).isFalse();
        assertThat(questions).hasSize(2);
    }

    @Test
    void aQuestionWithoutAnAnswerIsNoticed() {
        for (int i = 0; i < 3 * LIMIT; i++) {
            assertThat(watch.isSilent(true)).isFalse();
            last().complete(null);
        }
        assertThat(watch.isSilent(true)).isFalse();
        assertThat(looksUntilSilent()).isEqualTo(LIMIT + 1);
    }

    /** A right may have been taken away; what was subscribed to stays. */
    @Test
    void aRefusalIsASignOfLife() {
        watch.isSilent(true);
        last().completeExceptionally(new IllegalStateException("NOPERM"));
        assertThat(looksUntilSilent()).isEqualTo(Integer.MAX_VALUE);
    }
}
