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
 * with all before them, fit the capacity, and those that were granted before it was made smaller.
 *
 * @param set the capacity that was set on purpose
 * @param nodes all nodes
 */
public record NodeQueue(Capacity set, List<Node> nodes) {
    /** A resource that nobody has used. */
    public static final NodeQueue EMPTY = new NodeQueue(Capacity.NONE, List.of());

    public NodeQueue {
        Objects.requireNonNull(set, "set");
        nodes = List.copyOf(Objects.requireNonNull(nodes, "nodes"));
    }

    /** Returns whether there is nothing of the resource. */
    boolean isEmpty() {
        return nodes.isEmpty() && !set.isSet();
    }

    /** Returns what the weights of the granted claims may sum up to; 0 where there is no capacity. */
    int capacity() {
        return set.isSet() ? set.size() : first();
    }

    private int first() {
        return nodes.isEmpty() ? 0 : nodes.get(0).capacity();
    }

    /** Returns how many claims are granted, from the first on; while the capacity is made smaller, those that were before. */
    int granted() {
        long room = !set.isChanging() ? capacity() : set.former() > 0 ? set.former() : first();
        int count = 0;
        for (Node node : nodes) {
            room -= node.weight();
            if (room < 0 && !set.covers(node)) {
                return count;
            }
            count++;
        }
        return count;
    }

    /** Returns the capacity as it is to be written now that these are the nodes; the same one if nothing is to be changed. */
    Capacity settled() {
        if (!set.isChanging() && set.granted() == Capacity.NOBODY) {
            return set;
        }
        int count = granted();
        boolean fits = weightOfOthers(-1, count) <= set.size();
        return fits
                ? set.steady(Capacity.NOBODY)
                : set.isChanging() ? set.steady(nodes.get(count - 1).order()) : set;
    }

    int waiting() {
        return nodes.size() - granted();
    }

    /** Returns the index of a claim's first node, or -1. */
    int find(ClaimId id) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the index of a node, or -1. */
    int find(Node node) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).isSame(node)) {
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
        return Resource.of(last, capacity()).withResized(set.isSet()).withClaims(claims, granted());
    }
}
