package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.concurrent.CompletionStage;

/** Leaves each claim as if its enter might still be on its way, so that the store has to remember it for a minute. */
final class LeaveUnclearStore extends PlantedStore {
    LeaveUnclearStore(Store store) {
        super(store);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return super.send(
                request instanceof Request.Leave leave
                        ? Request.Leave.of(leave.resource(), leave.id(), true)
                        : request);
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        return answer;
    }
}
