package io.belay.zookeeper;

import io.belay.node.Capacity;
import io.belay.node.Details;
import io.belay.node.DetailsText;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/** Makes nodes and queues of what ZooKeeper says. */
final class Queues {
    private Queues() {}

    /** Makes a queue of names: weights are those with which the claims entered, sequences are not known. */
    static NodeQueue of(String directory, Session.Family family) {
        int version = family.stat().getVersion();
        Capacity set = Capacity.unset(version);
        List<NodeNames.Claim> claims = new ArrayList<>(family.children().size());
        for (String child : family.children()) {
            NodeNames.parse(child).ifPresent(claims::add);
            set = NodeNames.parseCapacity(child, version).orElse(set);
        }
        if (claims.isEmpty()) {
            return new NodeQueue(set, List.of());
        }
        // The counter wraps: only differences tell the order.
        int origin = claims.get(0).count();
        claims.sort(Comparator.comparingInt(claim -> claim.count() - origin));
        List<Node> nodes = new ArrayList<>(claims.size());
        for (NodeNames.Claim claim : claims) {
            nodes.add(named(directory, claim, order(origin, claim.count())));
        }
        return new NodeQueue(set.counted(order(origin, (int) set.granted())), nodes);
    }

    private static long order(int origin, int count) {
        return (long) origin + (count - origin);
    }

    private static Node named(String directory, NodeNames.Claim claim, long order) {
        return new Node(
                directory + "/" + claim.name(),
                claim.id(),
                claim.capacity(),
                order,
                0,
                Node.UNREAD,
                Details.ofWeight(claim.weight()));
    }

    /** Returns whether ZooKeeper counted a node after another one; the numbers wrap. */
    static boolean isLater(long order, long than) {
        return (int) order - (int) than > 0;
    }

    /** Returns the node with what was read of it. */
    static Node read(Node node, byte[] data, Stat stat) {
        return read(node, details(node.key(), data), stat);
    }

    static Node read(Node node, Details details, Stat stat) {
        try {
            return new Node(
                    node.key(),
                    node.id(),
                    node.capacity(),
                    node.order(),
                    Node.sequence(stat.getCzxid()),
                    stat.getVersion(),
                    details);
        } catch (ArithmeticException e) {
            throw StoreException.unusable(
                    "ZooKeeper has had so many leaders that no tokens can be made of its transactions any more", e);
        }
    }

    private static Details details(String key, byte[] data) {
        try {
            return DetailsText.decode(data);
        } catch (IllegalArgumentException e) {
            throw StoreException.unusable(
                    "ZooKeeper's node " + key + " was not written by Belay: delete it, or use another path in the URL",
                    e);
        }
    }

    /** Returns the queue with some nodes as they are now, and without those that are gone. */
    static NodeQueue with(NodeQueue line, List<Node> before, List<Optional<Node>> now) {
        Map<String, Optional<Node>> read = new HashMap<>();
        for (int i = 0; i < before.size(); i++) {
            read.put(before.get(i).key(), now.get(i));
        }
        List<Node> nodes = new ArrayList<>(line.nodes().size());
        for (Node node : line.nodes()) {
            read.getOrDefault(node.key(), Optional.of(node)).ifPresent(nodes::add);
        }
        return new NodeQueue(line.set(), nodes);
    }
}
