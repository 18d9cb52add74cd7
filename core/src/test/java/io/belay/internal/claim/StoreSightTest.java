package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.RequestKind;
import io.belay.internal.time.Callbacks;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Timers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StoreSightTest {
    private final BelayOptions options = BelayOptions.defaults();
    private final Timers timers = new Timers(Time.SYSTEM, Threads.SYSTEM, () -> {});
    private final Callbacks callbacks = new Callbacks(options, Time.SYSTEM, Threads.SYSTEM, timers, (kind, text) -> {});
    private final StoreSight sight =
            new StoreSight(Time.SYSTEM, new Events(options, Time.SYSTEM, callbacks), 1_000_000_000);

    @Test
    void aStoreThatReturnsNoStageHasFailed() {
        CompletionStage<String> answer = sight.send(RequestKind.LOOK, false, () -> null);
        assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aStoreThatReturnsNoStageForEachOfSeveralHasFailedThemAll() {
        CompletableFuture<String> one = CompletableFuture.completedFuture("answer");
        List<Supplier<List<? extends CompletionStage<String>>>> wrong =
                List.of(() -> null, () -> List.of(one), () -> Arrays.asList(one, null), () -> List.of(one, one, one));
        for (Supplier<List<? extends CompletionStage<String>>> requests : wrong) {
            assertThat(sight.sendAll(RequestKind.KEEP, false, 2, requests))
                    .hasSize(2)
                    .allSatisfy(
                            answer -> assertThat(answer.toCompletableFuture()).isCompletedExceptionally());
        }
    }
}
