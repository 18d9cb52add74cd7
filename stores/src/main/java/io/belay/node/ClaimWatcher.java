package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The follower of what happens to claims between requests: nodes before them go, their own nodes go, others come. It
 * looks again where it has to, and tells their owners.
 */
final class ClaimWatcher {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The time after which the node of a granted claim is watched, in milliseconds; shorter holds are spared that. */
    private static final long SHORT_MILLIS = 100;

    /** A number that is no run of a server: a push under it is a hint to ask. */
    private static final long HINT = -1;

    private final Nodes nodes;
    private final Resources resources;
    private final NodeWriter writer;
    private final Store.Listener listener;
    private final LocalClock clock;
    private final Map<ClaimId, NodeClaim> claims;
    private final DelayedTasks soon;

    ClaimWatcher(
            String name,
            Nodes nodes,
            Resources resources,
            Store.Listener listener,
            LocalClock clock,
            Map<ClaimId, NodeClaim> claims) {
        this.nodes = nodes;
        this.resources = resources;
        writer = new NodeWriter(nodes);
        this.listener = listener;
        this.clock = clock;
        this.claims = claims;
        soon = new DelayedTasks(name, SHORT_MILLIS);
    }

    /** Looks for a claim's node. Fails if it was moved meanwhile, as it may be seen in neither place then. */
    CompletionStage<Optional<Position>> find(NodeClaim claim) {
        Node own = claim.own();
        boolean moves = claim.isMoving();
        return resources.line(claim.request().resource(), true).thenApply(line -> {
            int at = line.find(claim.request().id());
            if (at >= 0) {
                return Optional.of(new Position(line, line.nodes().get(at), claim.until()));
            } else if (own != null && (moves || !claim.keeps(own)) && claim.own() != null) {
                throw StoreException.unreachable(
                        "the node of " + claim.request().id() + " is being moved", null);
            }
            return Optional.empty();
        });
    }

    /**
     * Looks for a claim whose node is not there: the claim has got another by now, as answers come in any order, or it
     * is gone. Returns whether it is gone.
     */
    CompletionStage<Boolean> missing(NodeClaim claim) {
        return find(claim).thenApply(found -> {
            found.ifPresentOrElse(entry -> follow(claim, claim.entered(entry), true), () -> drop(claim));
            return found.isEmpty();
        });
    }

    void drop(NodeClaim claim) {
        claims.remove(claim.request().id(), claim);
        claim.finish();
    }

    Nodes.Watch watch(NodeClaim claim, Node blocker) {
        return nodes.watch(blocker, claim.ahead(), now -> follow(claim, claim.saw(blocker, now), true));
    }

    /** Does what a claim calls for; pushes a grant if no answer tells it. */
    void follow(NodeClaim claim, Next next, boolean push) {
        if (next == Next.READ) {
            List<Node> ahead = claim.ahead();
            nodes.known(ahead)
                    .ifPresentOrElse(now -> follow(claim, claim.read(ahead, now), true), () -> readAhead(claim));
        } else if (next == Next.CONFIRM) {
            confirm(claim);
        } else if (next == Next.SHUT_OUT) {
            push(claim, HINT);
        } else if (next == Next.GRANTED) {
            if (push) {
                push(claim, 0);
            }
            mark(claim);
            awaitArrivals(claim);
            keepWatch(claim);
        }
    }

    private void readAhead(NodeClaim claim) {
        reread(claim, claim.ahead()).whenComplete(logged((read, error) -> {
            // If it could not be read, the next one is watched, whether or not it is there.
            follow(claim, error == null ? read : claim.reviewed(), true);
        }));
    }

    private void confirm(NodeClaim claim) {
        reread(claim, claim.ahead()).whenComplete(logged((read, failed) -> {
            Node own = claim.own();
            if (own == null) {
                return;
            } else if (failed == null && read == Next.GRANTED) {
                follow(claim, read, true);
                return;
            } else if (failed != null) {
                LOG.debug(
                        "{} looks once more, as it could not see who is before it",
                        claim.request().id());
                return;
            }
            confirmOwn(claim, own).whenComplete(logged((next, error) -> {
                if (error == null) {
                    next.ifPresentOrElse(known -> follow(claim, known, true), () -> push(claim, HINT));
                } else {
                    LOG.debug(
                            "{} looks once more, as it could not see its own node",
                            claim.request().id());
                }
            }));
        }));
    }

    /** Looks whether a claim's own node is there, and reads the capacity behind the nodes before it; empty if it is not. */
    private CompletionStage<Optional<Next>> confirmOwn(NodeClaim claim, Node own) {
        return claim.isResizable()
                ? resources.line(claim.request().resource(), false).thenApply(claim::listed)
                : nodes.renew(List.of(own), true).get(0).thenApply(until -> until.map(claim::confirmed));
    }

    /** Reads nodes before a claim's own again: they may have gone untold, or their weights may have grown. */
    CompletionStage<Next> reread(NodeClaim claim, List<Node> before) {
        return before.isEmpty()
                ? CompletableFuture.completedStage(claim.reviewed())
                : nodes.read(before).thenApply(now -> claim.read(before, now));
    }

    private void push(NodeClaim claim, long server) {
        Node own = claim.own();
        if (own != null) {
            long now = clock.micros(System.nanoTime());
            ClaimSpec spec = claim.request().spec();
            long hold = spec.fixedLease(); // which is counted from when the owner is heard of
            long most = hold > 0 ? Math.min(hold, Resource.PICK_UP) : spec.lease(); // nobody is passed over here
            long deadline = Math.min(clock.micros(claim.until().byNow()), now + most);
            push(claim, own, true, now, Math.max(deadline, now), server);
        }
    }

    private void push(NodeClaim claim, Node own, boolean granted, long now, long deadline, long server) {
        Request.Enter request = claim.request();
        listener.pushed(Push.of(request.resource(), request.id(), own.sequence(), granted, now, deadline)
                .withWanted(claim.isWanted())
                .from(server));
    }

    private void mark(NodeClaim claim) {
        Node own = claim.own();
        if (own != null && claim.isToBeMarked()) {
            write(claim, own, Details::mark);
        }
    }

    /** Shows how many wait inside this client behind a claim that it holds, if that has changed. Nobody waits for it. */
    void showWaiters(NodeClaim claim, Node own, int waiters) {
        if (own.details().localWaiters() != waiters) {
            write(claim, own, details -> details.waiting(waiters));
        }
    }

    private void write(NodeClaim claim, Node own, UnaryOperator<Details> change) {
        writer.change(own, change).whenComplete(logged((now, error) -> {
            if (error == null) {
                now.ifPresent(claim::written);
            }
        }));
    }

    /** Waits for somebody who wants what a sticky claim has, to tell its owner. */
    private void awaitArrivals(NodeClaim claim) {
        Node own = claim.own();
        if (own != null && claim.isToBeWanted()) {
            Request.Enter request = claim.request();
            int room = request.spec().capacity() - own.weight();
            claim.keep(
                    "arrivals",
                    () -> nodes.watchArrivals(request.resource(), own, room, () -> {
                        if (claim.want(own)) {
                            push(claim, 0);
                        }
                    }));
        }
    }

    private void keepWatch(NodeClaim claim) {
        soon.run(() -> {
            Node own = claim.own();
            if (own != null && claim.isGranted()) {
                claim.keep("own", () -> nodes.watch(own, List.of(), now -> ownChanged(claim, own, now)));
            }
        });
    }

    private void ownChanged(NodeClaim claim, Node own, Optional<Node> now) {
        if (!claim.keeps(own)) {
            return; // it has another one since, or is about to: whoever moves it will know
        } else if (now.isEmpty()) {
            missing(claim).whenComplete(logged((gone, error) -> {
                if (error == null && gone) {
                    push(claim, own, false, clock.micros(System.nanoTime()), 0, 0);
                }
            }));
        } else {
            claim.written(now.get());
            claim.keep("own", () -> nodes.watch(now.get(), List.of(), later -> ownChanged(claim, now.get(), later)));
        }
    }

    /** Returns a callback that logs what another one throws, which would otherwise be lost. */
    private static <T> BiConsumer<T, @Nullable Throwable> logged(BiConsumer<T, @Nullable Throwable> callback) {
        return (result, error) -> {
            try {
                callback.accept(result, error);
            } catch (RuntimeException e) {
                LOG.error("A claim could not follow what it was told; it asks again soon", e);
            }
        };
    }

    void stop() {
        soon.close();
    }
}
