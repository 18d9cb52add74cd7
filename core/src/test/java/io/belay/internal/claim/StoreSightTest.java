package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.RequestKind;
import io.belay.internal.time.Callbacks;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Timers;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StoreSightTest {
    @Test
    void aStoreThatReturnsNoStageHasFailed() {
        BelayOptions options = BelayOptions.defaults();
        Timers timers = new Timers(Time.SYSTEM, Threads.SYSTEM, () -> {});
        Callbacks callbacks = new Callbacks(options, Time.SYSTEM, Threads.SYSTEM, timers);
        StoreSight sight = new StoreSight(Time.SYSTEM, new Events(options, Time.SYSTEM, callbacks), 1_000_000_000);
        CompletionStage<String> answer = sight.send(RequestKind.LOOK, false, () -> null);
        assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
    }
}
