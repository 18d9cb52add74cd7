package io.belay.zookeeper;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.DetailsText;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.spi.ClaimId;
import io.belay.spi.Store.NamePage;
import io.belay.support.Outcome;
import io.belay.zookeeper.Places.Place;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Claims as nodes of ZooKeeper: a resource is a container, a claim an ephemeral sequential node in it. The node's name
 * says whose it is, so that it is found again after a lost answer, and the weight with which the claim entered; its
 * data says the rest.
 */
final class ZooKeeperNodes implements Nodes {
    private static final String TOO_LONG =
            "cannot be reached: the connection was lost before it had told the names, all in one"
                    + " message: if that is so each time, raise jute.maxbuffer in this JVM";

    private final Settings settings;
    private final Connection connection;
    private final long client;
    private final Directories directories;
    private final LayoutNode layout;

    private final Places places = new Places();

    /** The nodes of former sessions: the servers keep them for a session more where they have been away for longer. */
    private final Queue<String> orphans = new ConcurrentLinkedQueue<>();

    /** The enters that are under way. */
    private final ConcurrentHashMap<ClaimId, CompletableFuture<Optional<Position>>> entering =
            new ConcurrentHashMap<>();

    ZooKeeperNodes(Settings settings, Connection connection, long client) {
        this.client = client;
        this.settings = settings;
        this.connection = connection;
        directories = connection.directories();
        layout = connection.layout();
        connection.onSession(this::clean);
    }

    /**
     * Removes what is left of former sessions, whose holders were told by their deadlines: so nobody waits until the servers
     * notice that those sessions are over.
     */
    private void clean(Session now) {
        places.forEach((id, place) -> {
            if (id.client() != ClaimId.NOBODY && place.session() != now && forget(id, place)) {
                orphan(place);
            }
        });
        sweep(now);
    }

    /** Forgets a claim's node of a former session. Where it is not known whether there is one, the next request of it looks. */
    private boolean forget(ClaimId id, Place place) {
        return place.key() == null
                ? places.replace(id, place, Place.unknown(place.session(), place.bytes()))
                : places.remove(id, place);
    }

    private void orphan(@Nullable Place place) {
        if (place != null && place.last() != null) {
            orphans.add(place.last());
        }
    }

    private void sweep(Session now) {
        // Each once: of a session that is over, what is asked fails in this thread, and would be here again.
        for (int left = orphans.size(); left > 0; left--) {
            String node = orphans.poll();
            if (node == null) {
                return; // another thread sweeps
            }
            now.delete(node).whenComplete((deleted, error) -> {
                if (error != null) {
                    orphans.add(node); // for the next connection, or the next claim that leaves
                }
            });
        }
    }

    /** Returns the number of claims of which something is kept in memory. */
    int size() {
        return places.size() + entering.size();
    }

    @Override
    public boolean leasePerClaim() {
        return false;
    }

    private String directory(String resource) {
        return NodeNames.directory(settings.root(), resource);
    }

    /** Runs something in the session of now, and says what went wrong in words for the user. */
    private <T> CompletionStage<T> in(Function<Session, CompletionStage<T>> work) {
        try {
            return work.apply(connection.session()).handle((result, error) -> {
                if (error != null) {
                    throw connection.failures().explain(error);
                }
                return result;
            });
        } catch (RuntimeException | Error e) { // else nobody would end what the caller has noted as under way
            return CompletableFuture.failedStage(connection.failures().explain(e));
        }
    }

    /** Enters a claim. That takes several requests, so an enter that is asked for again meanwhile is the same one. */
    @Override
    public CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details) {
        CompletableFuture<Optional<Position>> entered = new CompletableFuture<>();
        CompletableFuture<Optional<Position>> before = entering.putIfAbsent(id, entered);
        if (before != null) {
            return before;
        }
        in(session -> {
                    checkLease(session, id, details);
                    return layout.make(session).thenCompose(known -> enter(session, resource, id, capacity, details));
                })
                .whenComplete((entry, error) -> {
                    if (id.client() == ClaimId.NOBODY) {
                        places.remove(id); // it ends with no session, and another client may end it
                    }
                    entering.remove(id, entered);
                })
                .whenComplete(Outcome.to(entered));
        return entered;
    }

    private CompletionStage<Optional<Position>> enter(
            Session session, String resource, ClaimId id, int capacity, Details details) {
        String directory = directory(resource);
        Place unknown = Place.unknown(session, bytes(directory, id, capacity, details));
        boolean again = enters(id, unknown);
        return (again
                        ? proved(session, directory, false).thenCompose(proved -> Reading.find(session, directory, id))
                        : CompletableFuture.completedStage(Optional.<Position>empty()))
                .thenCompose(found -> {
                    if (found.isPresent()) {
                        return CompletableFuture.completedStage(found);
                    }
                    places.put(id, unknown);
                    return make(session, directory, id, capacity, details);
                })
                .thenApply(entry -> {
                    entry.ifPresentOrElse(
                            made -> places.put(id, unknown.at(made.own().key())), () -> places.remove(id));
                    return entry;
                });
    }

    /**
     * Notes that a claim enters. A node of this session that is known stays so until another one is made: else a yield
     * that is under way would take the claim for left.
     *
     * @return whether it may have a node already
     */
    private boolean enters(ClaimId id, Place unknown) {
        Place before = places.putIfAbsent(id, unknown);
        if (before == null && places.areTooMany()) {
            places.remove(id);
            throw connection
                    .failures()
                    .unusable(
                            "would not start again after the end of this client, which has as many locks and waiters as"
                                    + " its servers can read in one message: share them out among clients, or raise"
                                    + " jute.maxbuffer for all servers and this JVM alike");
        } else if (before != null && before.session() != unknown.session()) {
            places.put(id, unknown);
        }
        return before != null;
    }

    /** Returns what a claim's node adds to what its session ends by, with a slash, a number of ZooKeeper's and the length. */
    private static int bytes(String directory, ClaimId id, int capacity, Details details) {
        return id.client() == ClaimId.NOBODY
                ? 0 // it ends with none
                : directory.length()
                        + NodeNames.claim(id, details.weight(), capacity).length()
                        + 16;
    }

    private void checkLease(Session session, ClaimId id, Details details) {
        if (id.client() == ClaimId.NOBODY) {
            return; // its node outlives every session
        }
        long granted = session.timeoutNanos() / 1_000_000;
        if (details.fixedLease() > 0) {
            throw connection.failures().unusable("has no leases of a length of their own");
        } else if (details.lease() > granted * 1000) {
            boolean asked = settings.sessionTimeout().toMillis() <= granted;
            throw connection
                    .failures()
                    .unusable("has given a session of " + granted + " ms, too little for a lease of "
                            + details.lease() / 1000 + " ms: shorten the lease, or "
                            + (asked ? "lengthen session-timeout in the URL" : "raise the server's maxSessionTimeout"));
        }
    }

    private CompletionStage<Optional<Position>> make(
            Session session, String directory, ClaimId id, int capacity, Details details) {
        String path = directory + "/" + NodeNames.claim(id, details.weight(), capacity);
        byte[] data = DetailsText.encode(details);
        if (id.client() == ClaimId.NOBODY) {
            Op make = Op.create(path, data, settings.acl(), CreateMode.PERSISTENT_SEQUENTIAL);
            return directories.in(session, directory, () -> makeForNobody(session, directory, id, make, details));
        }
        return directories.in(session, directory, () -> {
            CompletionStage<Session.Created> created =
                    session.create(path, data, settings.acl(), CreateMode.EPHEMERAL_SEQUENTIAL);
            return created.thenCombine(
                            session.family(directory),
                            (made, family) -> Reading.own(Queues.of(directory, family), made, details))
                    .thenCompose(entry -> Reading.settled(session, entry));
        });
    }

    /** Makes the node, or finds it, unless there is another of nobody: nothing would end that, and it would be granted later. */
    private CompletionStage<Optional<Position>> makeForNobody(
            Session session, String directory, ClaimId id, Op make, Details details) {
        session.sync(directory);
        return session.family(directory).thenCompose(family -> {
            boolean other = Queues.of(directory, family).nodes().stream()
                    .anyMatch(node -> node.id().client() == ClaimId.NOBODY);
            if (other) {
                return Reading.find(session, directory, id);
            }
            return directories
                    .alone(session, directory, family.stat().getVersion(), List.of(make))
                    .thenCompose(done -> done.isPresent()
                            ? placed(session, directory, done.get().get(0), details)
                            : makeForNobody(session, directory, id, make, details));
        });
    }

    /** Reads where a node stands that was made in one step with others. */
    private static CompletionStage<Optional<Position>> placed(
            Session session, String directory, OpResult result, Details details) {
        String made = ((OpResult.CreateResult) result).getPath();
        CompletableFuture<Optional<Stat>> stat = Reading.present(session.exists(made));
        return stat.thenCombine(
                        session.family(directory),
                        (found, family) -> found.flatMap(known ->
                                Reading.own(Queues.of(directory, family), new Session.Created(made, known), details)))
                .thenCompose(entry -> Reading.settled(session, entry));
    }

    @Override
    public CompletionStage<NodeQueue> list(String resource, boolean whole) {
        return in(session -> layout.check(session).thenCompose(known -> {
            String directory = directory(resource);
            if (whole) {
                session.sync(directory);
            }
            CompletionStage<NodeQueue> names = Reading.names(session, directory);
            return whole ? names.thenCompose(line -> Reading.whole(session, line)) : names;
        }));
    }

    @Override
    public CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear) {
        return in(session -> {
            String directory = directory(resource);
            String path = directory + "/" + NodeNames.claim(own.id(), details.weight(), own.capacity());
            List<Op> both = List.of(
                    Op.create(path, DetailsText.encode(details), settings.acl(), CreateMode.EPHEMERAL_SEQUENTIAL),
                    Op.delete(own.key(), -1));
            return Reading.present(session.multi(path, both))
                    .thenCompose(done -> {
                        if (done.isEmpty()) {
                            return Reading.find(session, directory, own.id()).thenApply(found -> {
                                found.ifPresent(moved ->
                                        moved(session, own.id(), moved.own().key())); // by a copy before this one
                                return found;
                            });
                        }
                        String made = ((OpResult.CreateResult) done.get().get(0)).getPath();
                        return moved(session, own.id(), made)
                                ? placed(session, directory, done.get().get(0), details)
                                // It was left meanwhile.
                                : session.delete(made).thenApply(deleted -> Optional.<Position>empty());
                    })
                    // It makes way all the same: those behind it need no room, and nobody here gets the lock before it
                    // has.
                    .exceptionallyCompose(error -> Failures.is(error, Code.QUOTAEXCEEDED)
                            ? session.delete(own.key()).thenApply(deleted -> {
                                places.remove(own.id());
                                return Optional.empty();
                            })
                            : CompletableFuture.failedStage(error));
        });
    }

    /** Notes the node that a claim has moved to. Returns whether it has that then: not if it is being left, or was. */
    private boolean moved(Session session, ClaimId id, String key) {
        Place now =
                places.change(id, place -> place.session() == session && place.key() != null ? place.at(key) : place);
        return now != null && key.equals(now.key());
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
        if (isOver(id, place)) {
            places.remove(id);
            orphan(place);
            connection.current().ifPresent(this::sweep);
            return CompletableFuture.completedStage(false);
        }
        String key = place == null ? null : place.key();
        if (place != null) {
            places.put(id, place.unsure());
        }
        return in(session -> {
            CompletionStage<Boolean> left = key == null ? CompletableFuture.completedStage(false) : session.delete(key);
            return left.thenCompose(was -> was && !unclear
                            ? CompletableFuture.completedStage(true)
                            : search(session, directory(resource), id).thenApply(found -> found || was))
                    .thenApply(was -> {
                        places.remove(id);
                        return was;
                    });
        });
    }

    /**
     * Returns whether the nodes of a claim of this client have ended with the session in which they were made, or are about to: not of one that
     * may have a node which nobody knows, and which the servers may keep for a session more.
     */
    private boolean isOver(ClaimId id, @Nullable Place place) {
        Session now = connection.current().orElse(null);
        return id.client() == client && (place == null ? now == null : place.key() != null && place.session() != now);
    }

    /**
     * Looks for a claim's nodes, and ends them. What was asked before is done by then, or will never be: requests of a
     * session that moves on are refused.
     */
    static CompletionStage<Boolean> search(Session session, String directory, ClaimId id) {
        session.sync(directory);
        return Reading.names(session, directory)
                .thenCompose(line -> remove(
                        session,
                        line.nodes().stream()
                                .filter(node -> node.id().equals(id))
                                .toList()));
    }

    private static CompletionStage<Boolean> remove(Session session, List<Node> nodes) {
        return Reading.all(
                        nodes.stream().map(node -> session.delete(node.key())).toList())
                .thenApply(removed -> removed.contains(true));
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        return in(session -> remove(session, nodes));
    }

    @Override
    public CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next) {
        return in(session -> layout.make(session)
                .thenCompose(known -> directories.resize(session, directory(resource), read, next)));
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return in(session -> Reading.readAll(session, nodes));
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        return in(session -> layout.check(session)
                .thenCompose(known -> session.write(node.key(), DetailsText.encode(details), (int) node.version()))
                .handle((stat, error) -> {
                    if (error == null) {
                        return Optional.of(node.with(stat.getVersion(), details));
                    } else if (Failures.is(error, Code.NONODE, Code.BADVERSION)) {
                        return Optional.empty();
                    }
                    throw new CompletionException(Failures.unwrap(error));
                }));
    }

    @Override
    public List<CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held) {
        CompletionStage<Void> alive =
                in(session -> proved(session, own.get(0).key(), held).thenAccept(proved -> {}));
        // They are read after the write, and a server answers one client in order.
        return own.stream().map(node -> renew(node, alive)).toList();
    }

    private CompletionStage<Optional<Deadline>> renew(Node node, CompletionStage<Void> alive) {
        return in(session -> Reading.present(session.exists(node.key()))
                .thenCombine(
                        alive,
                        (found, proved) -> found.filter(stat -> Reading.isOwn(session, node.id(), stat))
                                .map(stat -> session.until())));
    }

    /**
     * Proves that the session lives, unless that has just been done, by a request that only a leader with a quorum can
     * run: followers that are cut off answer pings, too. The request changes nothing, and need neither find the node
     * nor be allowed to look at it.
     */
    private CompletionStage<?> proved(Session session, String path, boolean held) {
        return session.isStale(held)
                ? Reading.present(session.multi(path, List.of(Op.check(path, -1))), Code.NONODE, Code.NOAUTH)
                : directories.nothing();
    }

    @Override
    public CompletionStage<Optional<Node>> fix(Node own, Details details, long lease) {
        return CompletableFuture.failedStage(connection.failures().unusable("has no leases of a length of their own"));
    }

    @Override
    public Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed) {
        return watching(watches -> watches.node(node, changed));
    }

    @Override
    public Watch watchArrivals(String resource, Node own, int room, Runnable arrived) {
        return watching(watches -> watches.arrivals(directory(resource), own.order(), room, arrived));
    }

    /** Begins a watch; without a session there is nothing to watch, as all nodes have ended with the last one. */
    private Watch watching(Function<Watches, Watch> start) {
        return connection.current().map(Session::watches).map(start).orElse(() -> {});
    }

    /** Lists all names in one page, as ZooKeeper tells the children of a node in one message. */
    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return in(session -> layout.check(session).thenCompose(known -> {
            session.sync(settings.root());
            return Reading.present(session.family(settings.root()))
                    .thenApply(found -> NamePage.last(found.map(Session.Family::children).orElse(List.of()).stream()
                            .map(NodeNames::resource)
                            .flatMap(Optional::stream)
                            .filter(name -> name.startsWith(prefix))
                            .toList()))
                    .exceptionallyCompose(error -> CompletableFuture.failedStage(
                            Failures.is(error, Code.CONNECTIONLOSS)
                                    ? connection.failures().unreachable(TOO_LONG)
                                    : error));
        }));
    }

    @Override
    public void close() {
        connection.close();
    }
}
