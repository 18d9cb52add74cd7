package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;

/** Moves each deadline by the time that its answer was on its way. */
final class FromReceiptStore extends PlantedStore {
    FromReceiptStore(Store store) {
        super(store);
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        if (answer.state() != Answer.State.GRANTED) {
            return answer;
        }
        long late = (System.nanoTime() - sentNanos) / 1000;
        return new Answer(
                answer.time(),
                answer.state(),
                answer.sequence(),
                answer.deadline() + late,
                answer.reweights(),
                answer.place(),
                answer.expiry(),
                answer.waiters(),
                answer.server(),
                answer.refusal(),
                answer.confirmation());
    }
}
