package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.RequestKind;
import io.belay.internal.time.Callbacks;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.internal.time.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StoreSightTest {
    private static final String SILENCE = "it has not answered a request within 1000 ms";

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final BelayOptions options = BelayOptions.defaults()
            .withCallbackExecutor(Runnable::run)
            .withListener(new BelayListener() {
                @Override
                public void storeAway(String why) {
                    told.add("away: " + why);
                }

                @Override
                public void storeBack(Duration lasted) {
                    told.add("back");
                }
            });
    private final Timers timers = new Timers(Time.SYSTEM, Threads.SYSTEM, () -> {});
    private final Callbacks callbacks = new Callbacks(options, Time.SYSTEM, Threads.SYSTEM, timers, (kind, text) -> {});
    private final StoreSight sight =
            new StoreSight(Time.SYSTEM, new Events(options, Time.SYSTEM, callbacks), "", 1_000_000_000);

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

    /** Else the outage would never be over for who has been told of it. */
    @Test
    void theEndOfAnOutageIsToldThoughAnAnswerCameWhileItWasTold() {
        AtomicReference<Runnable> asTheLineIsMade = new AtomicReference<>(() -> {});
        Time time = new Time() {
            @Override
            public long nanos() {
                asTheLineIsMade.getAndSet(() -> {}).run();
                return Time.SYSTEM.nanos();
            }

            @Override
            public long wallMillis() {
                return Time.SYSTEM.wallMillis();
            }
        };
        StoreSight watched = new StoreSight(Time.SYSTEM, new Events(options, time, callbacks), "", 1_000_000_000);
        asTheLineIsMade.set(watched::answered);
        watched.failed("silent");
        assertThat(watched.failure()).isEmpty();
        watched.answered();
        watched.answered();
        assertThat(told).containsExactly("away: silent", "back");
    }

    /** As Java does once a stack has overflowed while it linked something: each time anew, in the steps that end waits. */
    @Test
    void anOutageIsNotedThoughTheLineAboutItFails() {
        Time failing = new Time() {
            private boolean begun;

            @Override
            public long nanos() {
                if (begun) {
                    throw new NoClassDefFoundError("thrown by the test");
                }
                begun = true;
                return Time.SYSTEM.nanos();
            }

            @Override
            public long wallMillis() {
                return Time.SYSTEM.wallMillis();
            }
        };
        StoreSight watched = new StoreSight(Time.SYSTEM, new Events(options, failing, callbacks), "", 1_000_000_000);
        watched.failed("silent");
        assertThat(watched.failure()).contains("silent");
        watched.answered();
        assertThat(watched.failure()).isEmpty();
    }

    /** It answers all else, and nobody gets a lock. */
    @Test
    void aStoreThatIsFullIsNotSaidToBeBackByWhatNeedsNoRoom() {
        AtomicLong now = new AtomicLong();
        Time time = new Time() {
            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        StoreSight full = new StoreSight(time, new Events(options, time, callbacks), "", 1_000_000_000);
        full.send(RequestKind.TAKE, false, () -> CompletableFuture.failedStage(new IOException("full")));
        full.failed("full");
        now.addAndGet(999_999_999);
        full.send(RequestKind.LOOK, false, () -> CompletableFuture.completedStage("answer"));
        full.answered();
        assertThat(full.failure()).contains("full");
        full.send(RequestKind.TAKE, false, () -> CompletableFuture.completedStage("granted"));
        full.answered();
        assertThat(full.failure()).isEmpty();
        assertThat(told).containsExactly("away: full", "back");

        full.send(RequestKind.TAKE, false, () -> CompletableFuture.failedStage(new IOException("full")));
        full.failed("full");
        now.addAndGet(1_000_000_000); // nobody has wanted a lock since
        full.send(RequestKind.LOOK, false, () -> CompletableFuture.completedStage("answer"));
        assertThat(full.failure()).isEmpty();

        // Who gave up in vain leaves again and again, and asks for no lock before that is answered.
        full.send(RequestKind.GIVE_BACK, false, () -> CompletableFuture.failedStage(new IOException("full")));
        full.failed("full");
        full.send(RequestKind.LOOK, false, () -> CompletableFuture.completedStage("answer"));
        assertThat(full.failure()).contains("full");
        full.send(RequestKind.GIVE_BACK, false, () -> CompletableFuture.completedStage("left"));
        full.answered();
        assertThat(full.failure()).isEmpty();
    }

    /** Else the two would be told by turns, and who looks would not see the one that can be mended. */
    @Test
    void aSilenceHidesNoRefusalThatCameMeanwhile() {
        AtomicLong now = new AtomicLong();
        Time time = new Time() {
            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        StoreSight refused = new StoreSight(time, new Events(options, time, callbacks), "", 1_000_000_000);
        Runnable refusal = () -> {
            refused.send(RequestKind.KEEP, false, () -> CompletableFuture.failedStage(new IOException("refused")));
            refused.failed("refused");
        };
        refused.silent();
        assertThat(refused.failure()).as("nothing has failed").contains(SILENCE);
        refusal.run();
        now.addAndGet(999_999_999);
        refused.silent();
        assertThat(refused.failure()).contains("refused");
        now.addAndGet(1);
        refused.silent();
        assertThat(refused.failure()).as("nothing has failed since it was sent").contains(SILENCE);

        refusal.run();
        refused.answered();
        refused.silent();
        assertThat(refused.failure()).as("nothing else would tell it").contains(SILENCE);
    }
}
