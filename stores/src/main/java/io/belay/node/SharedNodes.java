package io.belay.node;

import io.belay.support.Mutex;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that claims of this client remember, each once: every answer is read anew, and each of thousands that wait for
 * one lock would have a copy of its own of all before it. Forgets what nobody remembers any more. Thread-safe.
 */
final class SharedNodes {
    private final Mutex lock = new Mutex();
    private final Map<Node, WeakReference<Node>> known = new WeakHashMap<>();

    /** Returns the one that is equal to this node and is remembered already, or this node. */
    Node of(Node node) {
        try (var held = lock.hold()) {
            WeakReference<Node> reference = known.get(node);
            @Nullable Node same = reference == null ? null : reference.get();
            if (same != null) {
                return same;
            }
            known.put(node, new WeakReference<>(node));
            return node;
        }
    }
}
