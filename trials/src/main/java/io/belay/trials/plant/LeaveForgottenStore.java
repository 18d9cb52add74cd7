package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does not leave what its client gave up before the first of its enters was answered. */
final class LeaveForgottenStore extends PlantedStore {
    private static final Answer LEFT = Answer.of(Answer.State.LEFT, 0);

    private final AtomicReference<@Nullable ClaimId> first = new AtomicReference<>();
    /** True once the client has been told of the answer, and has sent what it did because of that. */
    private volatile boolean answered;

    LeaveForgottenStore(Store store) {
        super(store);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        if (request instanceof Request.Enter enter && first.compareAndSet(null, enter.id())) {
            CompletableFuture<Answer> told = new CompletableFuture<>();
            super.send(request).whenComplete((answer, failure) -> {
                if (failure == null) {
                    told.complete(answer);
                } else {
                    told.completeExceptionally(failure);
                }
                answered = true;
            });
            return told;
        }
        boolean forgotten = !answered
                && request instanceof Request.Leave leave
                && leave.id().equals(first.get());
        return forgotten ? CompletableFuture.completedFuture(LEFT) : super.send(request);
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        return answer;
    }
}
