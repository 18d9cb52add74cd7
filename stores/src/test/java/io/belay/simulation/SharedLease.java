package io.belay.simulation;

import io.belay.spi.StoreException;
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
    private long asked;
    private long askedWall;
    /** When it ends, by the client's clock: counted from before it was asked for. */
    private long until;

    private boolean ended;

    /** Asks for one. */
    SharedLease(NodeLink link, long nanos) {
        this.link = link;
        this.nanos = nanos;
        long now = link.machine.nanos();
        long wall = link.machine.wallMillis();
        granting = link.ask(() -> link.service.grant(nanos / 1000, null)).thenApply(granted -> {
            id = granted;
            renewed(now, wall);
            return this;
        });
    }

    private void renewed(long now, long wall) {
        asked = now;
        askedWall = wall;
        until = now + nanos;
    }

    /** Whether the wall clock has run ahead meanwhile, as in a suspended machine: then it may end sooner than is known. */
    private boolean isDoubtful() {
        long ran = (link.machine.nanos() - asked) / 1_000_000;
        return link.machine.wallMillis() - askedWall > ran + ran / 100 + 2;
    }

    long id() {
        return id;
    }

    long until() {
        return until;
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
        } else if (isDoubtful() || link.machine.nanos() - until >= 0) {
            return alive();
        } else if (link.machine.nanos() - asked > nanos / 3) {
            alive(); // for the next one; this one needs not wait for it
        }
        return granting;
    }

    /** Keeps it alive; it may turn out to have ended. */
    CompletionStage<SharedLease> alive() {
        long now = link.machine.nanos();
        long wall = link.machine.wallMillis();
        CompletableFuture<SharedLease> running = renewing;
        if (running != null) {
            return running;
        } else if (isOver() || (now - asked < nanos / FRACTION && !isDoubtful())) {
            return CompletableFuture.completedFuture(this);
        }
        CompletableFuture<SharedLease> made = new CompletableFuture<>();
        renewing = made;
        link.ask(() -> link.service.keep(id)).whenComplete((there, error) -> {
            renewing = null;
            if (error == null && there) {
                renewed(now, wall);
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
