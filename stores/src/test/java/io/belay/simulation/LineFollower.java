package io.belay.simulation;

import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows all that happens to the nodes of a resource, for as long as somebody waits there, and a second more. */
final class LineFollower extends NodeWatch {
    private static final long LINGER = 1_000_000_000;

    private final LeaseNodes nodes;
    private final List<Wait> waits = new ArrayList<>();
    /** The nodes as they were told; null while that is in doubt. */
    private @Nullable NodeQueue line;

    private long revision;

    LineFollower(LeaseNodes nodes, Directory directory) {
        super(nodes, directory);
        this.nodes = nodes;
    }

    private final class Wait implements Nodes.Watch {
        final Node node;
        final Consumer<Optional<Node>> changed;

        Wait(Node node, Consumer<Optional<Node>> changed) {
            this.node = node;
            this.changed = changed;
        }

        @Override
        public void cancel() {
            waits.remove(this);
            linger();
        }
    }

    Nodes.Watch await(Node node, Consumer<Optional<Node>> changed) {
        Wait wait = new Wait(node, changed);
        waits.add(wait);
        if (isOver(wait)) {
            nodes.soon(this::tellAll); // never inside this call
        }
        return wait;
    }

    private void linger() {
        if (waits.isEmpty() && !isOver()) {
            world().scheduler.later(LINGER, () -> {
                if (waits.isEmpty() && end()) {
                    nodes.unfollow(this);
                }
            });
        }
    }

    private World world() {
        return nodes.world;
    }

    @Override
    @Nullable
    Runnable happened() {
        return null;
    }

    @Override
    void look() {
        if (isOver()) {
            directory.unwatch(this);
            return;
        }
        NodeQueue now = directory.line();
        long at = nodes.service.revision();
        link.tell(() -> {
            if (!isOver() && (line == null || at >= revision)) {
                line = now;
                revision = at;
                tellAll();
            }
        });
    }

    @Override
    void doubt() {
        line = null;
        revision = 0;
    }

    private @Nullable Node now(NodeQueue known, Node node) {
        for (Node found : known.nodes()) {
            if (found.key().equals(node.key()) && found.order() == node.order()) {
                return found;
            }
        }
        return null;
    }

    private boolean isOver(Wait wait) {
        NodeQueue known = line;
        if (known == null || wait.node.version() > revision) {
            return false; // it is younger than what is known
        }
        Node now = now(known, wait.node);
        return now == null || now.version() != wait.node.version();
    }

    private void tellAll() {
        for (Wait wait : List.copyOf(waits)) {
            NodeQueue known = line;
            if (known != null && waits.contains(wait) && isOver(wait)) {
                waits.remove(wait);
                wait.changed.accept(Optional.ofNullable(now(known, wait.node)));
            }
        }
        linger();
    }

    /** The nodes as they are, as far as was told; empty where that is not certain. */
    Optional<List<Optional<Node>>> known(List<Node> asked) {
        NodeQueue known = line;
        if (known == null || asked.stream().anyMatch(node -> node.version() > revision)) {
            return Optional.empty();
        }
        List<Optional<Node>> all = new ArrayList<>();
        asked.forEach(node -> all.add(Optional.ofNullable(now(known, node))));
        return Optional.of(all);
    }
}
