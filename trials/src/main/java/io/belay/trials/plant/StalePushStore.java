package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Tells a claim that has to wait that it is granted. */
final class StalePushStore extends PlantedStore {
    private static final long LATE_MILLIS = 5;
    private static final long LEASE_MICROS = 1_000_000;

    private final Listener listener;

    StalePushStore(Store store, Listener listener) {
        super(store);
        this.listener = listener;
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        if (request instanceof Request.Enter enter && answer.state() == Answer.State.WAITING) {
            Push push = Push.granted(
                            enter.resource(),
                            enter.id(),
                            answer.sequence(),
                            answer.time(),
                            answer.time() + LEASE_MICROS)
                    .from(answer.server());
            CompletableFuture.delayedExecutor(LATE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> listener.pushed(push));
        }
        return answer;
    }
}
