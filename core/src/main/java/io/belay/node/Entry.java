package io.belay.node;

/**
 * A node of one's own, and the line in which it stands.
 *
 * @param line all nodes of the resource, the own one among them
 * @param own the own one
 * @param until when it ends unless it is renewed, as a {@link System#nanoTime()}: never later than the service ends it
 */
public record Entry(Line line, Node own, long until) {}
