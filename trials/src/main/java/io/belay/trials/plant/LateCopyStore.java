package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Leaves by name and client, so that the late copy of a leave ends the client's next claim: the first copy stands in a server
 * that does not answer, the client turns to another one, and goes on long before that first copy is obeyed.
 */
final class LateCopyStore extends PlantedStore {
    private static final double LEASES = 1.5;

    private final Executor later;
    /** Locks whose next claim of this client meets a late copy. */
    private final Set<String> copies = ConcurrentHashMap.newKeySet();

    LateCopyStore(Store store, Duration lease) {
        super(store);
        later = CompletableFuture.delayedExecutor((long) (lease.toNanos() * LEASES), TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        CompletionStage<Answer> answer = super.send(request);
        if (request instanceof Request.Leave) {
            answer.whenComplete((said, failure) -> {
                if (failure != null) {
                    later.execute(() -> copies.add(request.resource()));
                }
            });
        }
        return answer;
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        boolean granted = request instanceof Request.OfClaim && answer.state() == Answer.State.GRANTED;
        if (granted && copies.remove(request.resource())) {
            super.send(Request.Leave.of(request.resource(), ((Request.OfClaim) request).id(), false));
        }
        return answer;
    }
}
