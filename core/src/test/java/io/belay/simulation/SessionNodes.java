package io.belay.simulation;

import io.belay.node.Details;
import io.belay.node.Entry;
import io.belay.node.Line;
import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.node.Views;
import io.belay.simulation.Directory.Stored;
import io.belay.spi.ClaimId;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that end with their client's session, as in ZooKeeper: what one session asks is done in the order in which it is
 * asked, and a step may take several requests, between which others are served.
 */
final class SessionNodes extends NodeLink implements Nodes {
    private final Runnable reconnected;
    private @Nullable Session session;
    /** In which session a claim entered, and its node there; with none if an enter or leave was not answered well. */
    private final Map<ClaimId, Place> places = new HashMap<>();

    private final Map<ClaimId, CompletableFuture<Optional<Entry>>> entering = new HashMap<>();

    private record Place(Session session, @Nullable String key) {}

    /** A session as its client knows it. */
    private final class Session {
        private final long id;
        /** When the last change was sent that was acknowledged. */
        private long proven;

        Session(long id, long proven) {
            this.id = id;
            this.proven = proven;
        }

        /** Until when it certainly lives: a client speaks up after a third of its length. */
        long until() {
            return proven + service.sessionNanos / 3 * 2;
        }

        boolean isStale() {
            return machine.nanos() - proven > service.sessionNanos / 6;
        }

        /** Asks for something in this session and in no later one. */
        <T> CompletableFuture<T> ask(Supplier<T> atServer) {
            return SessionNodes.this.ask(() -> {
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
            long sent = machine.nanos();
            return ask(atServer).thenApply(done -> {
                proven = Math.max(proven, sent);
                return done;
            });
        }

        CompletionStage<?> proved() {
            return isStale() ? change(() -> true) : CompletableFuture.completedStage(true);
        }
    }

    SessionNodes(Service service, Machine machine, long client, Runnable reconnected) {
        super(service, machine, client);
        this.reconnected = reconnected;
        session = new Session(service.grant(service.sessionNanos / 1000, this), machine.nanos());
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
            Session present = session;
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
        Session present = session;
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
        long asked = machine.nanos();
        ask(() -> service.grant(service.sessionNanos / 1000, this)).thenAccept(id -> {
            session = new Session(id, asked);
            reconnected.run();
        });
    }

    @Override
    void connected() {
        Session present = session;
        if (present == null) {
            soon(this::begin);
            return;
        }
        send(() -> {
            boolean lives = service.keep(present.id);
            tell(() -> {
                if (lives) {
                    watchAgain();
                    reconnected.run();
                } else {
                    lost(present.id);
                }
            });
        });
    }

    private interface Work<T> {
        CompletionStage<T> in(Session session);
    }

    private <T> CompletionStage<T> in(Work<T> work) {
        Session present = session;
        if (present == null) {
            return CompletableFuture.failedStage(StoreException.unreachable("there is no session now", null));
        }
        return work.in(present);
    }

    // What is done.

    @Override
    public CompletionStage<Optional<Entry>> enter(String resource, ClaimId id, int capacity, Details details) {
        CompletableFuture<Optional<Entry>> before = entering.get(id);
        if (before != null) {
            return before;
        }
        CompletableFuture<Optional<Entry>> entered = new CompletableFuture<>();
        entering.put(id, entered);
        in(now -> {
                    boolean again = places.put(id, new Place(now, null)) != null;
                    CompletionStage<Optional<Entry>> found = again
                            ? now.proved().thenCompose(proved -> find(now, resource, id))
                            : CompletableFuture.completedStage(Optional.empty());
                    return found.thenCompose(there -> there.isPresent()
                                    ? CompletableFuture.completedStage(there)
                                    : make(now, resource, id, capacity, details))
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

    private CompletionStage<Optional<Entry>> make(
            Session now, String resource, ClaimId id, int capacity, Details details) {
        long lifetime = id.client() == ClaimId.NOBODY ? 0 : now.id;
        String key = resource + "/" + id.client() + "-" + id.number();
        CompletableFuture<Node> made = now.change(() -> service.make(
                        service.directory(resource), key, id, capacity, details, lifetime)
                .node());
        return made.thenCombine(names(now, resource), SessionNodes::own).thenCompose(entry -> settled(now, entry));
    }

    private static Optional<Entry> own(Node made, Line line) {
        boolean there = line.nodes().stream().anyMatch(node -> node.key().equals(made.key()));
        return there ? Optional.of(new Entry(with(line, List.of(made)), made, 0)) : Optional.empty();
    }

    private CompletableFuture<Line> names(Session now, String resource) {
        return now.ask(() -> service.directory(resource).names());
    }

    /** The line with these nodes in the place of those of the same names. */
    private static Line with(Line line, List<Node> read) {
        List<Node> nodes = new ArrayList<>(line.nodes());
        nodes.replaceAll(node -> read.stream()
                .filter(found -> found.key().equals(node.key()))
                .findFirst()
                .orElse(node));
        return new Line(line.resized(), nodes);
    }

    private CompletableFuture<List<Optional<Node>>> readAll(Session now, List<Node> nodes) {
        return now.ask(() -> nodes.stream()
                .map(node -> service.of(node).same(node).map(Stored::node))
                .toList());
    }

    /** The line with what these nodes say, and without those that are not there. */
    private CompletionStage<Line> read(Session now, Line line, List<Node> unread) {
        return readAll(now, unread).thenApply(found -> {
            List<Node> nodes = new ArrayList<>(line.nodes());
            for (int i = 0; i < unread.size(); i++) {
                if (found.get(i).isEmpty()) {
                    nodes.remove(unread.get(i));
                }
            }
            return with(
                    new Line(line.resized(), nodes),
                    found.stream().flatMap(Optional::stream).toList());
        });
    }

    /** Where weights matter, those before it that could let it in or shut it out are read. */
    private CompletionStage<Optional<Entry>> settled(Session now, Optional<Entry> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedStage(found);
        }
        Node own = found.get().own();
        Line line = found.get().line();
        List<Node> unread = unsettled(line, own);
        return unread.isEmpty()
                ? CompletableFuture.completedStage(Optional.of(new Entry(line, own, now.until())))
                : read(now, line, unread).thenCompose(read -> settled(now, Optional.of(new Entry(read, own, 0))));
    }

    private static List<Node> unsettled(Line line, Node own) {
        int weight = own.details().weight();
        int capacity = Views.capacity(line, own);
        List<Node> ahead = line.nodes().subList(0, line.nodes().indexOf(own));
        if (weight >= capacity || ahead.size() + (long) weight > capacity) {
            return List.of(); // whoever is before it shuts it out
        }
        long sum = ahead.stream().mapToLong(node -> node.details().weight()).sum();
        return ahead.stream()
                .filter(node -> node.version() == Node.UNREAD)
                .filter(node -> sum + weight <= capacity || node.details().weight() > 1)
                .toList();
    }

    /** Looks for a node that an earlier attempt may have made; one of an earlier session is not one's own any more. */
    private CompletionStage<Optional<Entry>> find(Session now, String resource, ClaimId id) {
        return names(now, resource).thenCompose(line -> {
            Optional<Node> named =
                    line.nodes().stream().filter(node -> node.id().equals(id)).findFirst();
            if (named.isEmpty()) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            Node node = named.get();
            return now.ask(() -> service.of(node).same(node)).thenCompose(found -> {
                if (found.isEmpty()) {
                    return CompletableFuture.completedStage(Optional.empty());
                } else if (!isOwn(now, found.get())) {
                    return delete(now, node).thenApply(deleted -> Optional.empty());
                }
                Node own = found.get().node();
                return settled(now, Optional.of(new Entry(with(line, List.of(own)), own, 0)));
            });
        });
    }

    private static boolean isOwn(Session now, Stored stored) {
        return stored.lifetime() == (stored.node().id().client() == ClaimId.NOBODY ? 0 : now.id);
    }

    private CompletableFuture<Boolean> delete(Session now, Node node) {
        return delete(now, node.key(), node.id());
    }

    private CompletableFuture<Boolean> delete(Session now, String key, ClaimId id) {
        Directory directory = service.directory(key.substring(0, key.indexOf('/')));
        return now.change(() -> service.remove(directory, key, id.client()));
    }

    @Override
    public CompletionStage<Line> list(String resource, boolean whole) {
        return in(now -> {
            CompletableFuture<Line> names = names(now, resource);
            return whole ? names.thenCompose(line -> read(now, line, line.nodes())) : names;
        });
    }

    @Override
    public CompletionStage<Optional<Entry>> requeue(String resource, Node own, Details details, boolean unclear) {
        return in(now -> now.change(() -> {
                    String key = resource + "/" + own.id().client() + "-" + own.id().number();
                    return service.move(service.directory(resource), own, key, details, now.id)
                            .map(Stored::node);
                })
                .thenCompose(made -> {
                    if (made.isEmpty()) {
                        return CompletableFuture.completedStage(Optional.empty());
                    }
                    Node node = made.get();
                    if (!places.replace(own.id(), new Place(now, own.key()), new Place(now, node.key()))) {
                        return delete(now, node).thenApply(deleted -> Optional.empty()); // it was left meanwhile
                    }
                    return names(now, resource)
                            .thenApply(line -> own(node, line))
                            .thenCompose(entry -> settled(now, entry));
                }));
    }

    @Override
    public CompletionStage<Boolean> leave(String resource, ClaimId id, boolean unclear) {
        CompletableFuture<Optional<Entry>> entered = entering.get(id);
        return entered == null
                ? end(resource, id, unclear)
                : entered.handle((entry, error) -> id).thenCompose(known -> end(resource, id, unclear));
    }

    private CompletionStage<Boolean> end(String resource, ClaimId id, boolean unclear) {
        Place place = places.get(id);
        if (id.client() != ClaimId.NOBODY && (session == null || (place != null && place.session() != session))) {
            places.remove(id);
            return CompletableFuture.completedStage(false); // its nodes have ended with its session, or are about to
        }
        String key = place == null ? null : place.key();
        if (place != null) {
            places.put(id, new Place(place.session(), null));
        }
        return in(now -> (key == null ? CompletableFuture.completedStage(false) : delete(now, key, id))
                .thenCompose(was -> was && !unclear
                        ? CompletableFuture.completedStage(true)
                        : search(now, resource, id).thenApply(found -> found || was))
                .thenApply(was -> {
                    places.remove(id);
                    return was;
                }));
    }

    private CompletionStage<Boolean> search(Session now, String resource, ClaimId id) {
        return names(now, resource)
                .thenCompose(line -> remove(
                        now,
                        line.nodes().stream()
                                .filter(node -> node.id().equals(id))
                                .toList()));
    }

    private CompletionStage<Boolean> remove(Session now, List<Node> nodes) {
        CompletionStage<Boolean> any = CompletableFuture.completedStage(false);
        for (Node node : nodes) {
            any = any.thenCombine(delete(now, node), Boolean::logicalOr);
        }
        return any;
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        return in(now -> remove(now, nodes));
    }

    @Override
    public CompletionStage<Void> resize(String resource, int capacity) {
        return in(now -> now.change(() -> {
                    service.resize(resource, capacity);
                    return true;
                })
                .thenAccept(done -> {}));
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return in(now -> readAll(now, nodes));
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        return in(now -> now.change(() -> service.write(node, details)));
    }

    @Override
    public List<CompletionStage<Optional<Long>>> renew(List<Node> own, boolean held) {
        CompletionStage<?> alive = in(now -> now.proved().thenApply(proved -> true));
        List<CompletionStage<Optional<Long>>> ends = new ArrayList<>();
        for (Node node : own) {
            ends.add(in(now -> now.ask(() -> {
                        if (world.isBad(service.of(node).resource)) {
                            throw StoreException.unusable("'" + node.key() + "' cannot be renewed", null);
                        }
                        return service.of(node).same(node).filter(stored -> isOwn(now, stored));
                    })
                    .thenCombine(alive, (found, proved) -> found.map(stored -> now.until()))));
        }
        return ends;
    }

    @Override
    public CompletionStage<Optional<Long>> fix(Node own, long hold) {
        return CompletableFuture.failedStage(StoreException.unusable("no lease has a length of its own", null));
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
        Session last = session;
        session = null;
        if (last != null) {
            send(() -> service.end(last.id));
        }
        hangUp();
    }
}
