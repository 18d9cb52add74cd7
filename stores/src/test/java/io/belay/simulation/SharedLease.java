package io.belay.simulation;

import io.belay.node.Deadline;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lease at a {@link Service} that all claims of a client share that ask for the same length, as its client knows it. */
final class SharedLease {
    /** Those who want it alive at about the same time ask once. */
    private static final int FRACTION = 20;

    private final NodeLink link;
    private final long nanos;
    private final CompletableFuture<SharedLease> granting;
    private @Nullable CompletableFuture<SharedLease> renewing;

    private long id;
    private Moment asked;

    private boolean ended;

    /** Asks for one. */
    SharedLease(NodeLink link, long nanos) {
        this.link = link;
        this.nanos = nanos;
        asked = link.machine.moment();
        Moment now = asked;
        granting = link.ask(() -> link.service.grant(nanos / 1000, null)).thenApply(granted -> {
            id = granted;
            asked = now;
            return this;
        });
    }

    /** Whether the wall clock has run ahead meanwhile, as in a suspended machine: then it may end sooner than is known. */
    private boolean isDoubtful() {
        return asked.asleepUntil(link.machine.moment()) > 0;
    }

    long id() {
        return id;
    }

    /** When it ends, by the client's clocks: counted from before it was asked for. */
    Deadline until() {
        return Deadline.of(asked, nanos);
    }

    private long ago() {
        return link.machine.nanos() - asked.nanos();
    }

    /** Whether it is known to be there no more. What is over by the client's clock may still be there, and goes on then. */
    boolean isOver() {
        return ended || granting.isCompletedExceptionally();
    }

    /** It was found to have ended. */
    void end() {
        ended = true;
    }

    /** Itself, once it is granted. */
    CompletionStage<SharedLease> granted() {
        if (!granting.isDone() || isOver()) {
            return granting;
        } else if (isDoubtful() || ago() >= nanos) {
            return alive();
        } else if (ago() > nanos / 3) {
            alive(); // for the next one; this one needs not wait for it
        }
        return granting;
    }

    /** Keeps it alive; it may turn out to have ended. */
    CompletionStage<SharedLease> alive() {
        Moment now = link.machine.moment();
        CompletableFuture<SharedLease> running = renewing;
        if (running != null) {
            return running;
        } else if (isOver() || (ago() < nanos / FRACTION && !isDoubtful())) {
            return CompletableFuture.completedFuture(this);
        }
        CompletableFuture<SharedLease> made = new CompletableFuture<>();
        renewing = made;
        link.ask(() -> link.service.keep(id)).whenComplete((there, error) -> {
            renewing = null;
            if (error == null && there) {
                asked = now;
            } else if (error == null) {
                ended = true;
            }
            if (error == null) {
                made.complete(this);
            } else {
                made.completeExceptionally(
                        error instanceof StoreException ? error : StoreException.unreachable("no answer", error));
            }
        });
        return made;
    }
}
