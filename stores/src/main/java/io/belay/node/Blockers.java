package io.belay.node;

import java.util.List;

/**
 * The rule that says which nodes a waiting claim has to watch, so that it misses nothing and is woken for little else:
 * the nearest one that shuts it out alone, as in a lock any does; else the one before it until that is granted; and
 * only the first of those that wait watches all holders.
 */
final class Blockers {
    private Blockers() {}

    /**
     * Returns the nodes to watch; none if the claim is granted, or is alone and wants more than there is by now.
     *
     * @param ahead the nodes before the claim's, as far as they are known to be there
     * @param own the claim's own node
     * @param set the capacity, if one was set
     */
    static List<Node> of(List<Node> ahead, Node own, Capacity set) {
        int weight = own.weight();
        int capacity = set.isSet() ? set.size() : own.capacity();
        long sum = weight;
        for (Node node : ahead) {
            sum += node.weight();
        }
        if (ahead.isEmpty() || sum <= capacity || set.covers(own)) {
            return List.of();
        }
        for (int i = ahead.size() - 1; i >= 0; i--) {
            if ((long) ahead.get(i).weight() + weight > capacity) {
                return List.of(ahead.get(i));
            }
        }
        Node last = ahead.get(ahead.size() - 1);
        boolean granted = last.details().marked() || set.covers(last) || sum - weight <= capacity;
        return granted ? List.copyOf(ahead) : List.of(last);
    }
}
