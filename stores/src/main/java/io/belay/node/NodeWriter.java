package io.belay.node;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Changes what own nodes say, one change on top of the other: several may be under way for the same node. */
final class NodeWriter {
    /** The most attempts. Nobody but a node's owner writes it, and seldom; who writes on and on is no reason to wait. */
    private static final int ATTEMPTS = 5;

    private final Nodes nodes;

    NodeWriter(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Makes a change to what a node says by now, if that is not what was read.
     *
     * @return the node as it is then; empty if it is gone, or is changed again and again
     */
    CompletionStage<Optional<Node>> change(Node read, UnaryOperator<Details> change) {
        return change(read, change, ATTEMPTS);
    }

    private CompletionStage<Optional<Node>> change(Node read, UnaryOperator<Details> change, int attempts) {
        return nodes.write(read, change.apply(read.details())).thenCompose(written -> {
            if (written.isPresent() || attempts == 1) {
                return CompletableFuture.completedStage(written);
            }
            return nodes.read(List.of(read)).thenCompose(found -> {
                Optional<Node> now = found.get(0);
                return now.isPresent()
                        ? change(now.get(), change, attempts - 1)
                        : CompletableFuture.completedStage(now);
            });
        });
    }
}
