package io.belay.flashsale;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.flashsale.load.Server;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A finder of nodes that hold a lock of the sale; it pauses them while they do. */
class Holder {
    private static final long LONGEST_SEARCH_NANOS = 2_000_000_000;
    private static final long BETWEEN_LOOKS_MILLIS = 2;

    private final Nodes nodes;
    private final List<String> locks;
    private final @Nullable Belay belay;

    /**
     * Makes a finder.
     *
     * @param locks the names of the locks
     * @param belay shows who holds the lock; null if there is none
     */
    Holder(Nodes nodes, List<String> locks, @Nullable Belay belay) {
        this.nodes = nodes;
        this.locks = locks;
        this.belay = belay;
    }

    /** A node and the lock that it has. */
    record Held(Server node, String lock) {}

    /**
     * Pauses the holder, and returns it; empty if none could be caught. A process goes on while somebody looks at it,
     * so this method pauses it first, then looks at it, and lets it go on if it does not have the lock any more.
     */
    Optional<Held> pause() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_SEARCH_NANOS;
        while (belay != null && System.nanoTime() < end) {
            for (String lock : locks) {
                Optional<Server> holder = find(lock, belay);
                if (holder.isPresent()) {
                    Node node = nodes.node(holder.get());
                    if (node.pause() && find(lock, belay).equals(holder)) {
                        return Optional.of(new Held(holder.get(), lock));
                    }
                    node.resume();
                }
            }
            // Nobody holds one for a moment, or at the very beginning.
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        }
        return Optional.empty();
    }

    /** Returns whether another node has the lock by now. */
    boolean hasPassedOn(Held held) {
        return belay != null
                && find(held.lock(), belay).filter(now -> now != held.node()).isPresent();
    }

    private Optional<Server> find(String lock, Belay belay) {
        try {
            return belay.admin().inspect(lock).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .map(Inspection.Claim::process)
                    .findFirst()
                    .flatMap(nodes::byPid);
        } catch (BelayException e) {
            return Optional.empty();
        }
    }
}
