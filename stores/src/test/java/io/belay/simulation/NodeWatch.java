package io.belay.simulation;

import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.node.Views;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for one thing to happen at a {@link Service}, and is told once; what happened before is found when it begins. */
abstract class NodeWatch implements Nodes.Watch {
    final NodeLink link;
    final Directory directory;
    private boolean over;

    NodeWatch(NodeLink link, Directory directory) {
        this.link = link;
        this.directory = directory;
    }

    /** Tells when a node is not as it was read. */
    static NodeWatch of(NodeLink link, Node node, Consumer<Optional<Node>> changed) {
        return new NodeWatch(link, link.service.of(node)) {
            @Override
            @Nullable
            Runnable happened() {
                Optional<Node> now = directory.same(node).map(Directory.Stored::node);
                return now.isEmpty() || Views.isChanged(node, now.get()) ? () -> changed.accept(now) : null;
            }
        };
    }

    /** Tells when somebody comes behind a node who does not fit beside it. */
    static NodeWatch arrivals(NodeLink link, String resource, Node own, int room, Runnable arrived) {
        return new NodeWatch(link, link.service.directory(resource)) {
            @Override
            @Nullable
            Runnable happened() {
                return directory.isFollowed(own.order(), room) ? arrived : null;
            }
        };
    }

    /** Begins, also once more after the connection was lost. */
    void begin() {
        link.send(() -> {
            if (!over) {
                directory.watch(this);
                look();
            }
        });
    }

    /** What is to be run at the client if it has happened. */
    abstract @Nullable Runnable happened();

    /** Looks, at the service, whether it has happened. */
    void look() {
        Runnable told = over ? null : happened();
        if (over || told != null) {
            directory.unwatch(this);
        }
        if (told != null) {
            link.tell(() -> {
                if (end()) {
                    told.run();
                }
            });
        }
    }

    /** The connection was lost: what is known may be out of date. */
    void doubt() {}

    boolean isOver() {
        return over;
    }

    /** Ends it; returns whether that was not so. */
    boolean end() {
        boolean ends = !over;
        over = true;
        link.forget(this);
        return ends;
    }

    @Override
    public void cancel() {
        end();
    }
}
