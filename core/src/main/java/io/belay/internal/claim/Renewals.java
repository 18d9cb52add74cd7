package io.belay.internal.claim;

import io.belay.internal.machine.Sent;
import io.belay.internal.machine.Stay;
import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** The renewals that fell due together, sent in chunks; each is answered for itself. */
public final class Renewals {
    /** How many are sent at once without a wait for others. */
    public static final int CHUNK = 256;

    private final Engine engine;
    private final LinkedBlockingQueue<Due> next = new LinkedBlockingQueue<>();

    Renewals(Engine engine) {
        this.engine = engine;
    }

    private record Due(ClaimOwner owner, Stay claim, Request.Renew request, int number) {}

    /** Adds a renewal, under its owner's lock; to be followed by {@link #flush} outside it. */
    public void add(ClaimOwner owner, Stay claim, Request.Renew request, int number) {
        next.add(new Due(owner, claim, request, number));
    }

    /** Sends them if there are so many. */
    public void flush(int least) {
        if (next.size() >= least) {
            Store by = engine.store();
            List<Due> chunk = new ArrayList<>();
            next.drainTo(chunk);
            chunk.removeIf(due -> !engine.isOwn(due.claim.id));
            if (!chunk.isEmpty()) {
                send(by, chunk);
            }
        }
    }

    private void send(Store by, List<Due> chunk) {
        long sent = engine.time.nanos();
        long wallOffset = engine.time.wallOffset();
        List<? extends CompletionStage<Answer>> outcomes =
                engine.renew(by, chunk.stream().map(Due::request).toList());
        for (int i = 0; i < chunk.size(); i++) {
            Due due = chunk.get(i);
            Sent renewal = new Sent(due.number(), sent, wallOffset, false, false);
            outcomes.get(i).whenComplete((answer, error) -> due.owner().answered(due.claim(), answer, error, renewal));
        }
    }
}
