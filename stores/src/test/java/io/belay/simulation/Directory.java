package io.belay.simulation;

import io.belay.node.Capacity;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.spi.ClaimId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The nodes of one resource at a {@link Service}, in their order, and who is told when they change. */
final class Directory {
    final String resource;
    Capacity set = Capacity.NONE;
    /** How many nodes were made here so far. */
    long made;

    private final List<Stored> all = new ArrayList<>();
    private final List<NodeWatch> watches = new ArrayList<>();
    /** The order and weight of all that were ever made. */
    private final List<long[]> arrivals = new ArrayList<>();

    /**
     * A node as it is kept.
     *
     * @param lifetime what it ends with; 0 for nothing
     * @param weight the weight in its name, with which it entered
     */
    record Stored(Node node, long lifetime, int weight) {}

    Directory(String resource) {
        this.resource = resource;
    }

    List<Stored> all() {
        return all;
    }

    void add(Stored stored) {
        all.add(stored);
        made++;
        arrivals.add(new long[] {stored.node().order(), stored.weight()});
    }

    /** Whether anybody of more than that weight came behind that one, also if it has gone again. */
    boolean isFollowed(long order, int room) {
        return arrivals.stream().anyMatch(arrival -> arrival[0] > order && arrival[1] > room);
    }

    boolean hasNobodys() {
        return all.stream().anyMatch(stored -> stored.node().id().client() == ClaimId.NOBODY);
    }

    /** Where a node is; -1 if it is not there. */
    int find(String key) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).node().key().equals(key)) {
                return i;
            }
        }
        return -1;
    }

    /** The same node, whatever it says by now. */
    Optional<Stored> same(Node node) {
        int at = find(node.key());
        return at >= 0 && all.get(at).node().order() == node.order() ? Optional.of(all.get(at)) : Optional.empty();
    }

    NodeQueue line() {
        return new NodeQueue(set, all.stream().map(Stored::node).toList());
    }

    /** All that names tell. */
    NodeQueue names() {
        return new NodeQueue(set, all.stream().map(Directory::named).toList());
    }

    private static Node named(Stored stored) {
        Node node = stored.node();
        return new Node(
                node.key(),
                node.id(),
                node.capacity(),
                node.order(),
                0,
                Node.UNREAD,
                Details.ofWeight(stored.weight()));
    }

    void watch(NodeWatch watch) {
        if (!watches.contains(watch)) {
            watches.add(watch);
        }
    }

    void unwatch(NodeWatch watch) {
        watches.remove(watch);
    }

    void changed() {
        List.copyOf(watches).forEach(NodeWatch::look);
    }
}
