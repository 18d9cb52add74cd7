package io.belay.etcd;

import io.belay.node.Node;
import io.belay.node.Nodes;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The queues that a client follows: those in which its claims wait behind few other clients. Thread-safe. */
final class QueueWatches {
    /**
     * The most clients behind which a waiter follows the queue. Behind more it watches one key: every client that
     * follows a queue hears of each hand-over in it, which costs the server more than the questions that this saves.
     */
    private static final int FEW = 8;

    private final Watch watches;
    private final Function<KeyValue, Optional<Node>> reader;
    private final Function<ByteSequence, CompletionStage<?>> lister;
    private final ConcurrentHashMap<ByteSequence, QueueWatch> lines = new ConcurrentHashMap<>();

    /**
     * @param reader what a key says; empty if it is none of a claim
     * @param lister reads the queue of the keys that begin so, and has it {@link #listed}
     */
    QueueWatches(
            Watch watches,
            Function<KeyValue, Optional<Node>> reader,
            Function<ByteSequence, CompletionStage<?>> lister) {
        this.watches = watches;
        this.reader = reader;
        this.lister = lister;
    }

    /** Returns what the keys of all claims of a node's resource begin with. */
    private static ByteSequence claims(Node node) {
        return ByteSequence.from(node.key().substring(0, node.key().lastIndexOf('/') + 1), StandardCharsets.UTF_8);
    }

    /** Tells once when the node is not as it was read, or gone. */
    Nodes.Watch await(Node node, Consumer<Optional<Node>> changed) {
        ByteSequence claims = claims(node);
        while (true) {
            QueueWatch line = lines.computeIfAbsent(claims, start -> new QueueWatch(this, start));
            Nodes.Watch watch = line.await(node, changed);
            if (watch != null) {
                return watch;
            }
            lines.remove(claims, line); // it has just been closed
        }
    }

    /** Returns whether so few clients are ahead that each may hear of all that happens. */
    static boolean isWorth(List<Node> ahead) {
        return !ahead.isEmpty()
                && ahead.stream()
                                .mapToLong(node -> node.id().client())
                                .distinct()
                                .limit(FEW + 1)
                                .count()
                        <= FEW;
    }

    Optional<List<Optional<Node>>> known(List<Node> nodes) {
        QueueWatch line = nodes.isEmpty() ? null : lines.get(claims(nodes.get(0)));
        return line == null ? Optional.empty() : line.known(nodes);
    }

    /** Takes the queue of the keys that begin so, as it was read at that revision. */
    void listed(ByteSequence claims, long revision, List<Node> nodes) {
        QueueWatch line = lines.get(claims);
        if (line != null) {
            line.listed(revision, nodes);
        }
    }

    void ended(ByteSequence claims, QueueWatch line) {
        lines.remove(claims, line);
    }

    Watch.Watcher watch(ByteSequence claims, WatchOption option, Watch.Listener listener) {
        return watches.watch(claims, option, listener);
    }

    CompletionStage<?> list(ByteSequence claims) {
        return lister.apply(claims);
    }

    String key(KeyValue kv) {
        return kv.getKey().toString(StandardCharsets.UTF_8);
    }

    Optional<Node> node(KeyValue kv) {
        return reader.apply(kv);
    }
}
