package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what it gave up without having heard of it, for the next who wants the lock: an enter that was obeyed, or so it
 * takes for granted, though its answer was lost.
 */
final class OrphanStore extends PlantedStore {
    private final Set<String> orphans = ConcurrentHashMap.newKeySet();
    /** The microseconds that the store's clock is ahead of this one. */
    private volatile long ahead;

    OrphanStore(Store store) {
        super(store);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        if (request instanceof Request.Leave leave && leave.unclear()) {
            orphans.add(leave.resource());
        }
        return request instanceof Request.Enter enter && ahead != 0 && orphans.remove(enter.resource())
                ? CompletableFuture.completedFuture(asIfGranted(enter))
                : super.send(request);
    }

    private Answer asIfGranted(Request.Enter enter) {
        long now = micros() + ahead;
        long end = now + enter.spec().lease();
        return Answer.of(Answer.State.GRANTED, now).withClaim(now, end).withQueue(end, 0);
    }

    private static long micros() {
        return System.nanoTime() / 1000;
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        if (answer.time() != 0) {
            ahead = answer.time() - micros();
        }
        return answer;
    }
}
