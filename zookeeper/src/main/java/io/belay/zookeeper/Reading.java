package io.belay.zookeeper;

import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Position;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** Questions that take more than one request, each as few as possible. */
final class Reading {
    /** The number of nodes that are read in one request, so that its answer stays far below a server's limit. */
    private static final int CHUNK = 100;

    private Reading() {}

    static Optional<Position> own(NodeQueue line, Session.Created made, Details details) {
        for (Node node : line.nodes()) {
            if (node.key().equals(made.path())) {
                Node own = Queues.read(node, details, made.stat());
                return Optional.of(new Position(
                        Queues.with(line, List.of(node), List.of(Optional.of(own))), own, Deadline.over()));
            }
        }
        return Optional.empty(); // somebody has removed it already
    }

    /**
     * Reads what decides whether a claim is granted. Names alone tell which claims are before it, and what they tell
     * of weights may be old: where weights matter, as for readers and permits, the nodes that could let it in or shut
     * it out are read.
     */
    static CompletionStage<Optional<Position>> settled(Session session, Optional<Position> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedStage(found);
        }
        Node own = found.get().own();
        NodeQueue line = found.get().line();
        List<Node> unread = unsettled(line, own);
        if (!unread.isEmpty()) {
            return read(session, line, unread).thenCompose(read -> settled(session, with(read, own)));
        }
        return CompletableFuture.completedStage(Optional.of(new Position(line, own, session.until())));
    }

    private static Optional<Position> with(NodeQueue line, Node own) {
        return line.nodes().stream()
                .filter(node -> node.key().equals(own.key()))
                .findFirst()
                .map(node -> new Position(
                        Queues.with(line, List.of(node), List.of(Optional.of(own))), own, Deadline.over()));
    }

    /**
     * Reads some nodes of a queue. Where its capacity may change, the names are read again behind them: else weights of after
     * such a change could let somebody in by the capacity of before.
     */
    private static CompletionStage<NodeQueue> read(Session session, NodeQueue line, List<Node> nodes) {
        CompletionStage<NodeQueue> read = readAll(session, nodes).thenApply(now -> Queues.with(line, nodes, now));
        if (nodes.isEmpty() || nodes.get(0).capacity() == Resource.WHOLE) {
            return read;
        }
        String key = nodes.get(0).key();
        CompletionStage<NodeQueue> after = names(session, key.substring(0, key.lastIndexOf('/')));
        return read.thenCombine(
                        after,
                        (now, later) -> later.set().version() == line.set().version()
                                ? CompletableFuture.<NodeQueue>completedStage(now)
                                : whole(session, later))
                .thenCompose(Function.identity());
    }

    private static List<Node> unsettled(NodeQueue line, Node own) {
        int weight = own.details().weight();
        int capacity = line.set().size() > 0 ? line.set().size() : own.capacity();
        List<Node> ahead = line.nodes().subList(0, line.nodes().indexOf(own));
        if (weight >= capacity || ahead.size() + (long) weight > capacity) {
            return List.of(); // whoever is before it shuts it out
        }
        long sum = ahead.stream().mapToLong(node -> node.details().weight()).sum();
        boolean fits = sum + weight <= capacity;
        return ahead.stream()
                .filter(node -> node.version() == Node.UNREAD)
                .filter(node -> fits || node.details().weight() > 1)
                .toList();
    }

    /** Reads nodes; empty for those that are not there. */
    static CompletionStage<List<Optional<Node>>> readAll(Session session, List<Node> nodes) {
        if (nodes.size() == 1) {
            return read(session, nodes.get(0)).thenApply(List::of);
        }
        List<CompletableFuture<List<Optional<Node>>>> parts = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i += CHUNK) {
            List<Node> part = nodes.subList(i, Math.min(nodes.size(), i + CHUNK));
            parts.add(session.readAll(part.stream().map(Node::key).toList()).thenApply(results -> read(part, results)));
        }
        return all(parts).thenApply(read -> read.stream().flatMap(List::stream).toList());
    }

    private static List<Optional<Node>> read(List<Node> nodes, List<OpResult> results) {
        List<Optional<Node>> now = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            OpResult result = results.get(i);
            if (result instanceof OpResult.GetDataResult found) {
                now.add(Optional.of(Queues.read(nodes.get(i), found.getData(), found.getStat())));
            } else if (result instanceof OpResult.ErrorResult error && error.getErr() == Code.NONODE.intValue()) {
                now.add(Optional.empty());
            } else {
                int code = result instanceof OpResult.ErrorResult error ? error.getErr() : Code.SYSTEMERROR.intValue();
                throw new CompletionException(
                        KeeperException.create(Code.get(code), nodes.get(i).key()));
            }
        }
        return now;
    }

    static <T> CompletionStage<List<T>> all(List<CompletableFuture<T>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    static CompletionStage<Optional<Node>> read(Session session, Node node) {
        return present(session.read(node.key()))
                .thenApply(found -> found.map(content -> Queues.read(node, content.data(), content.stat())));
    }

    /** Returns what was asked for; empty where there is no such node. */
    static <T> CompletableFuture<Optional<T>> present(CompletableFuture<T> asked) {
        return present(asked, Code.NONODE);
    }

    /** Returns what was asked for; empty where that fails in one of these ways. */
    static <T> CompletableFuture<Optional<T>> present(CompletableFuture<T> asked, Code... absent) {
        return asked.handle((result, error) -> {
            if (error == null) {
                return Optional.of(result);
            } else if (Failures.is(error, absent)) {
                return Optional.empty();
            }
            throw new CompletionException(Failures.unwrap(error));
        });
    }

    static CompletionStage<NodeQueue> names(Session session, String directory) {
        return present(session.family(directory))
                .thenApply(found ->
                        found.map(family -> Queues.of(directory, family)).orElse(NodeQueue.EMPTY));
    }

    static CompletionStage<NodeQueue> whole(Session session, NodeQueue line) {
        return read(session, line, line.nodes());
    }

    /** Looks for a node that an earlier attempt may have made, and deletes those of earlier sessions, which are lost. */
    static CompletionStage<Optional<Position>> find(Session session, String directory, ClaimId id) {
        session.sync(directory);
        return names(session, directory).thenCompose(line -> {
            Optional<Node> named =
                    line.nodes().stream().filter(node -> node.id().equals(id)).findFirst();
            if (named.isEmpty()) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            Node node = named.get();
            return present(session.read(node.key()))
                    .thenCompose(found -> {
                        if (found.isEmpty()) {
                            return CompletableFuture.completedStage(Optional.<Position>empty());
                        }
                        Session.Content content = found.get();
                        if (!isOwn(session, id, content.stat())) {
                            return session.delete(node.key()).thenApply(deleted -> Optional.<Position>empty());
                        }
                        Node own = Queues.read(node, content.data(), content.stat());
                        NodeQueue read = Queues.with(line, List.of(node), List.of(Optional.of(own)));
                        return settled(session, Optional.of(new Position(read, own, Deadline.over())));
                    })
                    // One that has moved since the names were read is there under another name.
                    .thenCompose(entry ->
                            entry.isPresent() ? CompletableFuture.completedStage(entry) : find(session, directory, id));
        });
    }

    static boolean isOwn(Session session, ClaimId id, Stat stat) {
        return stat.getEphemeralOwner() == (id.client() == ClaimId.NOBODY ? 0 : session.id());
    }
}
