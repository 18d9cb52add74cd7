package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.concurrent.CompletionStage;

/** Sets the capacity of whatever it leaves, and what was set on purpose is not forgotten. */
final class KeptForEverStore extends PlantedStore {
    KeptForEverStore(Store store) {
        super(store);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        CompletionStage<Answer> answer = super.send(request);
        return request instanceof Request.Leave
                ? answer.thenCompose(left -> super.send(Request.Resize.of(request.resource(), Resource.WHOLE))
                        .thenApply(resized -> left))
                : answer;
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        return answer;
    }
}
