package io.belay.node;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The nodes of a resource, in their order. The rule of the model decides which claims are granted: those whose weights,
 * with all before them, fit the capacity.
 *
 * @param resized the capacity that was set on purpose, or 0
 * @param nodes all nodes
 */
public record NodeQueue(int resized, List<Node> nodes) {
    /** A resource that nobody has used. */
    public static final NodeQueue EMPTY = new NodeQueue(0, List.of());

    public NodeQueue {
        nodes = List.copyOf(Objects.requireNonNull(nodes, "nodes"));
    }

    /** Returns what the weights of the granted claims may sum up to; 0 where there is no capacity. */
    int capacity() {
        return resized > 0 ? resized : nodes.isEmpty() ? 0 : nodes.get(0).capacity();
    }

    /** Returns how many claims are granted, from the first on. */
    int granted() {
        long sum = 0;
        int count = 0;
        for (Node node : nodes) {
            sum += node.weight();
            if (sum > capacity()) {
                return count;
            }
            count++;
        }
        return count;
    }

    int waiting() {
        return nodes.size() - granted();
    }

    /** Returns the index of a claim's node, or -1. */
    int find(ClaimId id) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    long weightOfOthers(int but, int granted) {
        long sum = 0;
        for (int i = 0; i < granted; i++) {
            sum += i == but ? 0 : nodes.get(i).weight();
        }
        return sum;
    }

    /** Returns the resource that these nodes stand for, of claims that end at the instants that {@code end} gives. */
    Resource resource(ToLongFunction<Node> end) {
        List<Claim> claims = new ArrayList<>(nodes.size());
        long last = 0;
        for (Node node : nodes) {
            Details details = node.details();
            last = Math.max(last, node.sequence());
            claims.add(Claim.of(node.id(), details.weight(), node.sequence(), end.applyAsLong(node), details.owner())
                    .withFixedLease(details.fixedLease())
                    .withReweights(details.reweights())
                    .withEntered(details.entered())
                    .withLocalWaiters(details.localWaiters())
                    .withSticky(details.sticky()));
        }
        return new Resource(last, capacity(), resized > 0, claims, granted(), List.of(), 0);
    }
}
