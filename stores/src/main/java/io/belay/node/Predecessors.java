package io.belay.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The nodes before a claim's own, as far as they are known, and those that are watched. Guarded by the claim's lock.
 */
final class Predecessors {
    private final Function<Node, Nodes.Watch> watcher;
    private final SharedNodes shared;
    private final Map<String, Nodes.Watch> watching = new HashMap<>();

    /** The nodes before the claim's own; read without the lock, too. */
    private volatile List<Node> nodes = List.of();

    Predecessors(Function<Node, Nodes.Watch> watcher, SharedNodes shared) {
        this.watcher = watcher;
        this.shared = shared;
    }

    List<Node> nodes() {
        return nodes;
    }

    void set(List<Node> all) {
        nodes = List.of(all.stream().map(shared::of).toArray(Node[]::new));
    }

    /** Notes which nodes there are, with what was read of them. */
    void keep(List<Node> all) {
        Map<String, Node> known = new HashMap<>();
        nodes.forEach(node -> known.put(node.key(), node));
        set(all.stream()
                .map(node -> node.isRead() ? node : known.getOrDefault(node.key(), node))
                .toList());
    }

    /** Returns which of the nodes keep the claim waiting, of which that is its own. */
    List<Node> blockers(Node own, Capacity set) {
        return Blockers.of(nodes, own, set);
    }

    boolean isAnyUnwatched(List<Node> some) {
        return some.stream().anyMatch(node -> !watching.containsKey(node.key()));
    }

    /** Notes how one of the nodes is now, or that it is gone. */
    void note(Node seen, Optional<Node> now) {
        if (now.isPresent() && now.get().version() == seen.version()) {
            return;
        }
        Nodes.Watch watch = watching.remove(seen.key());
        if (watch != null) {
            watch.cancel();
        }
        List<Node> left = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            if (!node.isSame(seen)) {
                left.add(node); // also one whose key has been used before
            } else if (now.isPresent() && now.get().isSame(seen)) {
                left.add(shared.of(now.get()));
            }
        }
        nodes = left;
    }

    /** Watches the blockers, and none of the other nodes any more. */
    void watch(List<Node> blockers) {
        Set<String> keys = new HashSet<>();
        blockers.forEach(node -> keys.add(node.key()));
        watching.entrySet().removeIf(entry -> {
            boolean idle = !keys.contains(entry.getKey());
            if (idle) {
                entry.getValue().cancel();
            }
            return idle;
        });
        blockers.forEach(node -> watching.computeIfAbsent(node.key(), key -> watcher.apply(node)));
    }

    /** Keeps another watch, under a name of its own, until the end or until one of that name follows. */
    void keep(String name, Nodes.Watch watch) {
        Nodes.Watch before = watching.put(name, watch);
        if (before != null) {
            before.cancel();
        }
    }

    /** Ends all watches. */
    void end() {
        watching.values().forEach(Nodes.Watch::cancel);
        watching.clear();
    }
}
