package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Keeps from whoever has a sticky claim that others want the lock. */
final class StickyDeafStore extends PlantedStore {
    private final Set<ClaimId> sticky;

    /** Creates the store; {@code sticky} are the claims, which its listener knows, too. */
    StickyDeafStore(Store store, Set<ClaimId> sticky) {
        super(store);
        this.sticky = sticky;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        if (request instanceof Request.Enter enter && enter.spec().sticky()) {
            sticky.add(enter.id());
        }
        return super.send(request);
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        return request instanceof Request.OfClaim claim && sticky.contains(claim.id())
                ? answer.withQueue(answer.expiry(), 0)
                : answer;
    }

    /** Hears all but that somebody wants a sticky claim. */
    static Listener listener(Listener listener, Set<ClaimId> sticky) {
        return new Listener() {
            @Override
            public void pushed(Push push) {
                listener.pushed(sticky.contains(push.id()) ? unwanted(push) : push);
            }

            @Override
            public void reconnected() {
                listener.reconnected();
            }
        };
    }

    private static Push unwanted(Push push) {
        return push.withWanted(false);
    }
}
