package io.belay.node;

import io.belay.spi.Request;
import io.belay.support.Moment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The fixing of the ends of own claims. Each attempt compares what the node says, not only what this client remembers, so that
 * a late copy of an older request does nothing; of the beginning of a lease, which a node does not show, only this client knows.
 */
final class EndMover {
    /** The most attempts beside other changes of the same node; who writes on and on is no reason to wait. */
    private static final int ATTEMPTS = 5;

    private final Nodes nodes;
    private final ClaimWatcher claimWatcher;

    EndMover(Nodes nodes, ClaimWatcher claimWatcher) {
        this.nodes = nodes;
        this.claimWatcher = claimWatcher;
    }

    /** Begins the fixed lease with which a claim has entered, now that it is granted, if it has not begun. */
    CompletionStage<Void> begin(NodeClaim claim) {
        return fix(claim, new Change(0, claim.request().spec().fixedLease()));
    }

    /** Moves the end of a claim, unless a later request has done so. */
    CompletionStage<Void> fix(NodeClaim claim, Request.Fix request) {
        return fix(claim, new Change(request.reweights() + 1, request.lease()));
    }

    /**
     * A change of a claim's end.
     *
     * @param number how many changes it makes; 0 for the fixed lease with which the claim has entered, which begins once
     * @param micros the time from now to the end
     */
    private record Change(int number, long micros) {
        boolean isMade(FixedEnd end, Details details) {
            return number == 0 ? end.lease() != null : details.reweights() >= number;
        }

        Details in(Details before) {
            return number == 0 ? before : before.fixed(micros, number);
        }
    }

    private CompletionStage<Void> fix(NodeClaim claim, Change change) {
        Node own = claim.own();
        return own == null ? CompletableFuture.completedStage(null) : fix(claim, own, claim.end(own), change, ATTEMPTS);
    }

    private CompletionStage<Void> fix(NodeClaim claim, Node read, FixedEnd end, Change change, int attempts) {
        if (change.isMade(end, read.details())) {
            claim.written(read);
            end.made(read.details().reweights(), null);
            return CompletableFuture.completedStage(null);
        }
        Deadline lease = Deadline.of(Moment.now(), TimeUnit.MICROSECONDS.toNanos(change.micros));
        end.asked(change.number, lease);
        return nodes.fix(read, change.in(read.details()), change.micros).thenCompose(written -> {
            if (written.isPresent()) {
                claim.written(written.get());
                end.made(change.number, lease);
                return CompletableFuture.completedStage(null);
            }
            return nodes.read(List.of(read))
                    .thenCompose(found -> again(claim, found.get(0), end, change, attempts - 1));
        });
    }

    private CompletionStage<Void> again(
            NodeClaim claim, Optional<Node> now, FixedEnd end, Change change, int attempts) {
        if (now.isEmpty()) {
            return claimWatcher.missing(claim).thenAccept(gone -> {});
        }
        return attempts == 0 ? CompletableFuture.completedStage(null) : fix(claim, now.get(), end, change, attempts);
    }
}
