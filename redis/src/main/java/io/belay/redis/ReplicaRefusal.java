package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Confirmation;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The refusal of grants that too few replicas have confirmed: the lock is given back, and who has asked for it is told why. A grant
 * that was pushed is picked up first, which asks the replicas, and told only then. Thread-safe.
 */
final class ReplicaRefusal {
    private final Settings settings;
    private final Function<Request, CompletionStage<Answer>> sender;
    private final Set<ClaimId> confirmed = ConcurrentHashMap.newKeySet();

    /** @param sender sends a request, and checks its answer here */
    ReplicaRefusal(Settings settings, Function<Request, CompletionStage<Answer>> sender) {
        this.settings = settings;
        this.sender = sender;
    }

    /** Returns the answer; fails if it is a grant that is not to be had. */
    CompletionStage<Answer> check(Request request, CompletionStage<Answer> answered) {
        if (!settings.replicas().refuses() || !(request instanceof Request.OfClaim claim)) {
            return answered;
        }
        return answered.thenCompose(answer -> {
            Confirmation replicas = answer.confirmation();
            if (request instanceof Request.Leave || answer.state() == Answer.State.GONE) {
                confirmed.remove(claim.id());
            } else if (answer.state() == Answer.State.GRANTED && replicas != null) {
                if (replicas.replicas() >= replicas.wanted()) {
                    confirmed.add(claim.id());
                } else if (!confirmed.contains(claim.id())) {
                    return giveBack(claim, replicas);
                }
            }
            return CompletableFuture.completedFuture(answer);
        });
    }

    private CompletionStage<Answer> giveBack(Request.OfClaim claim, Confirmation replicas) {
        StoreException why = StoreException.unreachable(
                settings.line(
                        "has too few replicas that confirm a lock, " + replicas.replicas() + " of "
                                + replicas.wanted() + " within "
                                + settings.replicas().timeout().toMillis()
                                + " ms, so the lock was given back: bring them back, or leave replica-missing=refuse out of the URL"),
                null);
        return sender.apply(Request.Leave.of(claim.resource(), claim.id(), false))
                .handle((left, error) -> CompletableFuture.<Answer>failedFuture(why))
                .thenCompose(failed -> failed);
    }

    /** Tells of a push, of a grant only once the replicas have it. A grant that they have not is given back. */
    void pushed(Push push, Consumer<Push> listener) {
        if (!settings.replicas().refuses() || !push.granted() || confirmed.contains(push.id())) {
            listener.accept(push);
            return;
        }
        // A lease of a microsecond: what is left of the claim's own stays.
        sender.apply(Request.Renew.of(push.resource(), push.id(), push.sequence(), 1, 0, false))
                .thenAccept(answer -> {
                    if (answer.state() == Answer.State.GRANTED) {
                        listener.accept(push);
                    }
                });
    }
}
