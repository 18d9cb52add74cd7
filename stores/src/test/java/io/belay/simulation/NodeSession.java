package io.belay.simulation;

import io.belay.node.Deadline;
import io.belay.spi.ClaimId;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A session as its client knows it. */
final class NodeSession {
    private final NodeLink link;
    private final Service service;
    final long id;
    /** When the last change was sent that was acknowledged. */
    private Moment proven;

    /** @param proven an instant before it was asked for */
    NodeSession(NodeLink link, long id, Moment proven) {
        this.link = link;
        service = link.service;
        this.id = id;
        this.proven = proven;
    }

    Service service() {
        return service;
    }

    /** Until when it certainly lives: a client speaks up after a third of its length. */
    Deadline until() {
        return Deadline.of(proven, service.sessionNanos / 3 * 2);
    }

    boolean isStale() {
        Moment now = link.machine.moment();
        return proven.asleepUntil(now) > 0 || now.nanos() - proven.nanos() > service.sessionNanos / 6;
    }

    /** Asks for something in this session and in no later one. */
    <T> CompletableFuture<T> ask(Supplier<T> atServer) {
        return link.ask(() -> {
            touch();
            return atServer.get();
        });
    }

    private void touch() {
        if (!service.keep(id)) {
            throw StoreException.unreachable("the session has ended", null);
        }
    }

    /** The same for a change, which is a proof that the session lives. */
    <T> CompletableFuture<T> change(Supplier<T> atServer) {
        Moment sent = link.machine.moment();
        return ask(atServer).thenApply(done -> {
            proven = sent.nanos() - proven.nanos() > 0 ? sent : proven;
            return done;
        });
    }

    CompletionStage<?> proved() {
        return isStale() ? change(() -> true) : CompletableFuture.completedStage(true);
    }

    /** Ends a node; returns whether it was there. */
    CompletableFuture<Boolean> delete(String key, ClaimId id) {
        Directory directory = service.directory(key.substring(0, key.indexOf('/')));
        return change(() -> {
            int at = directory.find(key);
            if (at >= 0 && directory.all().get(at).lifetime() == this.id) {
                service.world.rules.ends(id, directory.resource);
            }
            return service.remove(directory, key, id, link.client());
        });
    }
}
