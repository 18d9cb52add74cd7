package io.belay.node;

import io.belay.spi.Resource;
import java.util.function.ToLongFunction;

/** What a simulation has to get at that only this package may: a line as a resource of the model. */
public final class Views {
    private Views() {}

    /** The resource that a line stands for, of claims that end at those instants. */
    public static Resource resource(NodeQueue line, ToLongFunction<Node> end) {
        return line.resource(end);
    }

    /** What a line's weights may sum up to, as one of its claims takes it to be. */
    public static int capacity(NodeQueue line, Node own) {
        return line.set().isSet() ? line.set().size() : own.capacity();
    }

    /** Whether a node is no longer as it was read, as far as that was. */
    public static boolean isChanged(Node read, Node now) {
        return read.version() == Node.UNREAD
                ? now.weight() != read.weight()
                        || now.details().marked() != read.details().marked()
                : now.version() != read.version();
    }
}
