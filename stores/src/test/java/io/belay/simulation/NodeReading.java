package io.belay.simulation;

import io.belay.node.Deadline;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Position;
import io.belay.node.Views;
import io.belay.simulation.Directory.Stored;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Questions of a session that take more than one request: names tell who is there, and not what they say by now. */
final class NodeReading {
    private NodeReading() {}

    static Optional<Position> own(Node made, NodeQueue line) {
        boolean there = line.nodes().stream().anyMatch(node -> node.key().equals(made.key()));
        return there ? Optional.of(new Position(with(line, List.of(made)), made, Deadline.over())) : Optional.empty();
    }

    static CompletableFuture<NodeQueue> names(NodeSession now, String resource) {
        return now.ask(() -> now.service().directory(resource).names());
    }

    /** The line with these nodes in the place of those of the same names. */
    static NodeQueue with(NodeQueue line, List<Node> read) {
        List<Node> nodes = new ArrayList<>(line.nodes());
        nodes.replaceAll(node -> read.stream()
                .filter(found -> found.key().equals(node.key()))
                .findFirst()
                .orElse(node));
        return new NodeQueue(line.set(), nodes);
    }

    static CompletableFuture<List<Optional<Node>>> readAll(NodeSession now, List<Node> nodes) {
        return now.ask(() -> nodes.stream()
                .map(node -> now.service().of(node).same(node).map(Stored::node))
                .toList());
    }

    static CompletionStage<NodeQueue> whole(NodeSession now, String resource, NodeQueue line) {
        return read(now, resource, line, line.nodes());
    }

    /** Where the capacity may change, the names are read again behind the nodes. */
    private static CompletionStage<NodeQueue> read(
            NodeSession now, String resource, NodeQueue line, List<Node> unread) {
        CompletionStage<NodeQueue> read = read(now, line, unread);
        if (unread.isEmpty() || unread.get(0).capacity() == Resource.WHOLE) {
            return read;
        }
        return read.thenCombine(
                        names(now, resource),
                        (found, after) -> after.set().equals(line.set())
                                ? CompletableFuture.<NodeQueue>completedStage(found)
                                : whole(now, resource, after))
                .thenCompose(Function.identity());
    }

    /** The line with what these nodes say, and without those that are not there. */
    private static CompletionStage<NodeQueue> read(NodeSession now, NodeQueue line, List<Node> unread) {
        return readAll(now, unread).thenApply(found -> {
            List<Node> nodes = new ArrayList<>(line.nodes());
            for (int i = 0; i < unread.size(); i++) {
                if (found.get(i).isEmpty()) {
                    nodes.remove(unread.get(i));
                }
            }
            return with(
                    new NodeQueue(line.set(), nodes),
                    found.stream().flatMap(Optional::stream).toList());
        });
    }

    /** Where weights matter, those before it that could let it in or shut it out are read. */
    static CompletionStage<Optional<Position>> settled(NodeSession now, Optional<Position> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedStage(found);
        }
        Node own = found.get().own();
        NodeQueue line = found.get().line();
        List<Node> unread = unsettled(line, own);
        return unread.isEmpty()
                ? CompletableFuture.completedStage(Optional.of(new Position(line, own, now.until())))
                : read(now, now.service().of(own).resource, line, unread)
                        .thenCompose(read -> settled(now, own(own, read)));
    }

    static List<Node> unsettled(NodeQueue line, Node own) {
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

    /** Looks for a node that an earlier attempt may have made, and ends those of earlier sessions. */
    static CompletionStage<Optional<Position>> find(NodeSession now, String resource, ClaimId id) {
        return names(now, resource).thenCompose(line -> {
            Optional<Node> named =
                    line.nodes().stream().filter(node -> node.id().equals(id)).findFirst();
            if (named.isEmpty()) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            Node node = named.get();
            return now.ask(() -> now.service().of(node).same(node))
                    .thenCompose(found -> {
                        if (found.isEmpty()) {
                            return CompletableFuture.completedStage(Optional.<Position>empty());
                        } else if (!isOwn(now, found.get())) {
                            return now.delete(node.key(), node.id()).thenApply(deleted -> Optional.<Position>empty());
                        }
                        Node own = found.get().node();
                        return settled(now, Optional.of(new Position(with(line, List.of(own)), own, Deadline.over())));
                    })
                    // One that has moved since the names were read is there under another name.
                    .thenCompose(entry ->
                            entry.isPresent() ? CompletableFuture.completedStage(entry) : find(now, resource, id));
        });
    }

    static boolean isOwn(NodeSession now, Stored stored) {
        return stored.lifetime() == (stored.node().id().client() == ClaimId.NOBODY ? 0 : now.id);
    }
}
