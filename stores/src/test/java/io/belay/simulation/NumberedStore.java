package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A client's store, which judges that it asks for claims of its present number alone: of one from before a pause it may but say
 * that, or when, it ends. It notes who has left, and when anything was answered.
 */
final class NumberedStore extends ForwardingStore {
    private final World world;
    private final Site site;
    private final long number;
    private boolean closed;

    NumberedStore(Site site, Store store, long number) {
        super(store);
        this.site = site;
        world = site.world;
        this.number = number;
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        judge(request);
        world.rules.asks(request);
        CompletionStage<Answer> answer = super.send(request);
        if (request instanceof Request.Leave leave) {
            answer.thenAccept(told -> left(leave.id()));
        }
        return noted(answer);
    }

    /** Notes when it is answered, before its client hears of that. */
    private CompletionStage<Answer> noted(CompletionStage<Answer> answer) {
        return answer.thenApply(told -> {
            site.answered = world.scheduler.now();
            return told;
        });
    }

    /** A store that is closed says so of whatever is to end with its session. */
    private void left(ClaimId id) {
        if (!closed) {
            world.rules.left(id);
        }
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        renewals.forEach(this::judge);
        return super.renew(renewals).stream().map(this::noted).toList();
    }

    @Override
    public void close() {
        closed = true;
        super.close();
    }

    private void judge(Request request) {
        if (request instanceof Request.OfClaim of
                && of.id().client() != number
                && of.id().client() != ClaimId.NOBODY
                && !(of instanceof Request.Leave)
                && !(of instanceof Request.Fix)) {
            world.violate(
                    Oracle.STORE, "client " + number + " asks for the " + Words.of(request) + ", which is not its own");
        }
    }
}
