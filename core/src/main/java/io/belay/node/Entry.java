package io.belay.node;

import java.util.Objects;

/**
 * A node of one's own, and the line in which it stands.
 *
 * @param line all nodes of the resource, the own one among them
 * @param own the own one
 * @param until when it ends unless it is renewed, as a {@link System#nanoTime()}: never later than the service ends it
 */
public record Entry(Line line, Node own, long until) {
    public Entry {
        Objects.requireNonNull(line, "line");
        Objects.requireNonNull(own, "own");
    }
}
