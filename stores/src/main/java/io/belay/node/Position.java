package io.belay.node;

import java.util.Objects;

/**
 * A node of this client, and the line in which it stands.
 *
 * @param line all nodes of the resource, this one among them
 * @param own the node
 * @param until when it ends unless it is renewed, as a {@link System#nanoTime()}: never later than the service ends it
 */
public record Position(NodeQueue line, Node own, long until) {
    public Position {
        Objects.requireNonNull(line, "line");
        Objects.requireNonNull(own, "own");
    }
}
