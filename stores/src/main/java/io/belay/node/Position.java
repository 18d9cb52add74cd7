package io.belay.node;

import java.util.Objects;

/**
 * A node of this client, and the line in which it stands.
 *
 * @param line all nodes of the resource, this one among them
 * @param own the node
 * @param until when it ends unless it is renewed
 */
public record Position(NodeQueue line, Node own, Deadline until) {
    public Position {
        Objects.requireNonNull(line, "line");
        Objects.requireNonNull(own, "own");
        Objects.requireNonNull(until, "until");
    }
}
