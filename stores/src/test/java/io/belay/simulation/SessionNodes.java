package io.belay.simulation;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.simulation.Directory.Stored;
import io.belay.spi.ClaimId;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that end with their client's session, as in ZooKeeper: what one session asks is done in the order in which it is
 * asked, and a step may take several requests, between which others are served.
 */
final class SessionNodes extends NodeLink implements Nodes {
    private final Runnable reconnected;
    private @Nullable NodeSession session;
    private final Map<ClaimId, Place> places = new HashMap<>();
    /** The nodes of former sessions, as far as they are not known to be gone. */
    private final Map<String, ClaimId> orphans = new LinkedHashMap<>();

    private final Map<ClaimId, CompletableFuture<Optional<Position>>> entering = new HashMap<>();

    /**
     * In which session a claim entered, and its node there.
     *
     * @param key the node; null if an enter or leave was not answered well
     * @param last the node that was known last
     */
    private record Place(
            NodeSession session,
            @Nullable String key,
            @Nullable String last) {
        Place(NodeSession session, @Nullable String key) {
            this(session, key, key);
        }

        Place unsure() {
            return new Place(session, null, last);
        }
    }

    SessionNodes(Service service, Machine machine, long client, Runnable reconnected) {
        super(service, machine, client);
        this.reconnected = reconnected;
        session = new NodeSession(this, service.grant(service.sessionNanos / 1000, this), machine.moment());
        ping();
    }

    @Override
    public boolean leasePerClaim() {
        return false;
    }

    @Override
    boolean isInOrder() {
        return true;
    }

    // The session.

    private void ping() {
        world.scheduler.later(service.sessionNanos / 3, () -> {
            NodeSession present = session;
            if (isClosed() || machine.dead) {
                return;
            } else if (present != null && !machine.isStopped()) {
                send(() -> service.keep(present.id));
            }
            ping();
        });
    }

    /** The service has ended a session. */
    void expired(long id) {
        tell(() -> lost(id));
    }

    private void lost(long id) {
        NodeSession present = session;
        if (present == null || present.id != id) {
            return;
        }
        world.story.tell(world.scheduler, machine, () -> "has lost its session " + id);
        machine.trouble(0);
        session = null;
        forgetAll();
        reconnected.run();
        begin();
    }

    /** Begins another session. */
    private void begin() {
        Moment asked = machine.moment();
        ask(() -> service.grant(service.sessionNanos / 1000, this)).thenAccept(id -> {
            if (session != null) {
                return; // a late thread has asked twice, for two connections; a real client has one session at a time
            }
            NodeSession begun = new NodeSession(this, id, asked);
            session = begun;
            clean(begun);
            reconnected.run();
        });
    }

    /** Removes what may be left of former sessions. */
    private void clean(NodeSession now) {
        for (ClaimId id : List.copyOf(places.keySet())) {
            Place place = places.get(id);
            if (id.client() != ClaimId.NOBODY && place.session() != now) {
                forget(id, place);
                orphan(id, place);
            }
        }
        sweep(now);
    }

    /** Where it is not known whether a claim has a node, the next request of it looks. */
    private void forget(ClaimId id, Place place) {
        if (place.key() == null) {
            places.put(id, new Place(place.session(), null));
        } else {
            places.remove(id);
        }
    }

    private void orphan(ClaimId id, @Nullable Place place) {
        if (place != null && place.last() != null) {
            orphans.put(place.last(), id);
        }
    }

    private void sweep(NodeSession now) {
        Map<String, ClaimId> left = new LinkedHashMap<>(orphans);
        orphans.clear();
        left.forEach((key, id) -> now.delete(key, id).whenComplete((deleted, error) -> {
            if (error != null) {
                orphans.put(key, id);
            }
        }));
    }

    @Override
    void connected() {
        NodeSession present = session;
        if (present == null) {
            soon(this::begin);
            return;
        }
        send(() -> {
            boolean lives = service.keep(present.id);
            tell(() -> {
                if (lives) {
                    watchAgain();
                    clean(present);
                    reconnected.run();
                } else {
                    lost(present.id);
                }
            });
        });
    }

    private interface Work<T> {
        CompletionStage<T> in(NodeSession session);
    }

    private <T> CompletionStage<T> in(Work<T> work) {
        NodeSession present = session;
        if (present == null) {
            return CompletableFuture.failedStage(StoreException.unreachable("there is no session now", null));
        }
        return work.in(present);
    }

    // What is done.

    @Override
    public CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details) {
        CompletableFuture<Optional<Position>> before = entering.get(id);
        if (before != null) {
            return before;
        }
        CompletableFuture<Optional<Position>> entered = new CompletableFuture<>();
        entering.put(id, entered);
        in(now -> {
                    boolean again = enters(now, id);
                    CompletionStage<Optional<Position>> found = again
                            ? now.proved().thenCompose(proved -> NodeReading.find(now, resource, id))
                            : CompletableFuture.completedStage(Optional.empty());
                    return found.thenCompose(there -> {
                                if (there.isPresent()) {
                                    return CompletableFuture.completedStage(there);
                                }
                                places.put(id, new Place(now, null));
                                return make(now, resource, id, capacity, details);
                            })
                            .thenApply(entry -> {
                                entry.ifPresentOrElse(
                                        made -> places.put(
                                                id, new Place(now, made.own().key())),
                                        () -> places.remove(id));
                                return entry;
                            });
                })
                .whenComplete((entry, error) -> {
                    entering.remove(id, entered);
                    if (error == null) {
                        entered.complete(entry);
                    } else {
                        entered.completeExceptionally(error);
                    }
                });
        return entered;
    }

    /**
     * Notes that a claim enters, which keeps a node of this session that is known: a yield may be under way. Returns
     * whether it may have a node already.
     */
    private boolean enters(NodeSession now, ClaimId id) {
        Place before = places.putIfAbsent(id, new Place(now, null));
        if (before != null && before.session() != now) {
            places.put(id, new Place(now, null));
        }
        return before != null;
    }

    private CompletionStage<Optional<Position>> make(
            NodeSession now, String resource, ClaimId id, int capacity, Details details) {
        long lifetime = id.client() == ClaimId.NOBODY ? 0 : now.id;
        String key = resource + "/" + id.client() + "-" + id.number();
        CompletableFuture<Optional<Node>> made = now.change(() -> {
            Directory directory = service.directory(resource);
            return id.client() == ClaimId.NOBODY && directory.hasNobodys()
                    ? Optional.empty()
                    : Optional.of(service.make(directory, key, id, capacity, details, lifetime)
                            .node());
        });
        return made.thenCombine(
                        NodeReading.names(now, resource),
                        (node, line) -> node.flatMap(there -> NodeReading.own(there, line)))
                .thenCompose(entry -> NodeReading.settled(now, entry));
    }

    @Override
    public CompletionStage<NodeQueue> list(String resource, boolean whole) {
        return in(now -> {
            CompletableFuture<NodeQueue> names = NodeReading.names(now, resource);
            return whole ? names.thenCompose(line -> NodeReading.whole(now, resource, line)) : names;
        });
    }

    @Override
    public CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear) {
        return in(now -> now.change(() -> {
                    String key =
                            resource + "/" + own.id().client() + "-" + own.id().number();
                    return service.move(service.directory(resource), own, key, details, now.id, client())
                            .map(Stored::node);
                })
                .thenCompose(made -> {
                    if (made.isEmpty()) {
                        return NodeReading.find(now, resource, own.id()).thenApply(found -> {
                            found.ifPresent(
                                    there -> moved(now, own.id(), there.own().key())); // by a copy before this one
                            return found;
                        });
                    }
                    Node node = made.get();
                    if (!moved(now, node.id(), node.key())) {
                        // It was left meanwhile.
                        return now.delete(node.key(), node.id()).thenApply(deleted -> Optional.empty());
                    }
                    return NodeReading.names(now, resource)
                            .thenApply(line -> NodeReading.own(node, line))
                            .thenCompose(entry -> NodeReading.settled(now, entry));
                }));
    }

    /** Notes the node that a claim has moved to. Returns whether it has that then: not if it is being left, or was. */
    private boolean moved(NodeSession now, ClaimId id, String key) {
        Place place = places.get(id);
        boolean has = place != null && place.session() == now && place.key() != null;
        if (has) {
            places.put(id, new Place(now, key));
        }
        return has;
    }

    @Override
    public CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear) {
        CompletableFuture<Optional<Position>> entered = entering.get(id);
        return entered == null
                ? end(resource, id, unclear)
                : entered.handle((entry, error) -> id).thenCompose(known -> end(resource, id, unclear));
    }

    private CompletionStage<Boolean> end(String resource, ClaimId id, boolean unclear) {
        Place place = places.get(id);
        NodeSession present = session;
        if (isOver(id, place, present)) {
            places.remove(id);
            orphan(id, place);
            if (present != null) {
                sweep(present);
            }
            return CompletableFuture.completedStage(false);
        }
        String key = place == null ? null : place.key();
        if (place != null) {
            places.put(id, place.unsure());
        }
        return in(now -> (key == null ? CompletableFuture.completedStage(false) : now.delete(key, id))
                .thenCompose(was -> was && !unclear
                        ? CompletableFuture.completedStage(true)
                        : search(now, resource, id).thenApply(found -> found || was))
                .thenApply(was -> {
                    places.remove(id);
                    return was;
                }));
    }

    /** Whether the nodes of a claim of this client have ended with their session, or are about to: not of one that may have a node nobody knows. */
    private boolean isOver(ClaimId id, @Nullable Place place, @Nullable NodeSession present) {
        return id.client() == client()
                && (place == null ? present == null : place.key() != null && place.session() != present);
    }

    private CompletionStage<Boolean> search(NodeSession now, String resource, ClaimId id) {
        return NodeReading.names(now, resource)
                .thenCompose(line -> remove(
                        now,
                        line.nodes().stream()
                                .filter(node -> node.id().equals(id))
                                .toList()));
    }

    private CompletionStage<Boolean> remove(NodeSession now, List<Node> nodes) {
        CompletionStage<Boolean> any = CompletableFuture.completedStage(false);
        for (Node node : nodes) {
            any = any.thenCombine(now.delete(node.key(), node.id()), Boolean::logicalOr);
        }
        return any;
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        return in(now -> remove(now, nodes));
    }

    @Override
    public CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next) {
        return in(now -> now.change(() -> service.resize(resource, read, next)));
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return in(now -> NodeReading.readAll(now, nodes));
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        return in(now -> now.change(() -> service.write(node, details)));
    }

    @Override
    public List<CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held) {
        CompletionStage<?> alive = in(now -> now.proved().thenApply(proved -> true));
        List<CompletionStage<Optional<Deadline>>> ends = new ArrayList<>();
        for (Node node : own) {
            ends.add(in(now -> now.ask(() -> {
                        if (world.isBad(service.of(node).resource)) {
                            throw StoreException.unusable("'" + node.key() + "' cannot be renewed", null);
                        }
                        return service.of(node).same(node).filter(stored -> NodeReading.isOwn(now, stored));
                    })
                    .thenCombine(alive, (found, proved) -> found.map(stored -> now.until()))));
        }
        return ends;
    }

    @Override
    public CompletionStage<Optional<Node>> fix(Node own, Details details, long lease) {
        return CompletableFuture.failedStage(StoreException.unusable("no lease has a length of its own", null));
    }

    @Override
    public CompletionStage<Store.NamePage> names(String prefix, String cursor) {
        return in(now -> now.ask(() -> service.names(prefix, cursor)));
    }

    // What is watched: without a session nothing is, as all own nodes have ended with the last one.

    @Override
    public Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed) {
        return watching(NodeWatch.of(this, node, changed));
    }

    @Override
    public Watch watchArrivals(String resource, Node own, int room, Runnable arrived) {
        return watching(NodeWatch.arrivals(this, resource, own, room, arrived));
    }

    private Watch watching(NodeWatch watch) {
        world.mayPause();
        if (session != null) {
            watch(watch);
        }
        return watch;
    }

    @Override
    public void close() {
        NodeSession last = session;
        session = null;
        if (last != null) {
            send(() -> service.end(last.id));
        }
        hangUp();
    }
}
