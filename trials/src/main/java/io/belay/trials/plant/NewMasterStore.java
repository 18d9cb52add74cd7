package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Takes the first thing that another server says of a lock for a grant: its slot has moved while somebody waited. */
final class NewMasterStore extends PlantedStore {
    private final Map<String, Long> masters = new ConcurrentHashMap<>();

    NewMasterStore(Store store) {
        super(store);
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        Long before = masters.put(request.resource(), answer.server());
        boolean moved = before != null && before != answer.server();
        return moved && answer.state() == Answer.State.WAITING ? granted(answer) : answer;
    }

    private static Answer granted(Answer answer) {
        return Answer.of(Answer.State.GRANTED, answer.time())
                .withClaim(answer.sequence(), answer.deadline())
                .withQueue(answer.deadline(), 0)
                .from(answer.server());
    }
}
