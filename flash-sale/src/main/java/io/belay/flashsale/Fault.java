package io.belay.flashsale;

import io.belay.cli.text.Text;
import java.time.Duration;
import java.util.Optional;

/**
 * A fault that the saboteur brought about in a node.
 *
 * @param kind what was done to the node
 * @param node the node's name
 * @param heldLock whether the node certainly held the lock
 * @param afterSeconds how long the sale had gone on
 * @param unitsLeft how many units were not sold yet
 * @param at when it was done, in milliseconds since 1970
 * @param passedOn whether another node had the lock before this one, paused, went on
 */
record Fault(Kind kind, String node, boolean heldLock, double afterSeconds, int unitsLeft, long at, boolean passedOn) {
    enum Kind {
        KILLED("killed"),
        PAUSED("paused");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    Fault withPassedOn() {
        return new Fault(kind, node, heldLock, afterSeconds, unitsLeft, at, true);
    }

    /** Returns why a fault that was to be after so long has shown nothing; empty if it has, or if none was to be. */
    static Optional<String> shortcoming(Kind kind, Optional<Duration> after, Optional<Fault> fault) {
        if (after.isEmpty() || fault.filter(Fault::hasShownSomething).isPresent()) {
            return Optional.empty();
        }
        if (fault.filter(some -> some.unitsLeft > 0).isPresent()) {
            return Optional.of(
                    fault.get().node + " was " + kind + ", and no other had the lock before it went on; use more"
                            + " --clients, and on ZooKeeper a shorter session-timeout");
        }
        return Optional.of(fault.map(late -> late.node + " was " + kind + " with 0 units left")
                        .orElse("no node was " + kind + ": no units were left to sell, or no node to sell them, after "
                                + after.get().toMillis() + " ms")
                + "; use more --stock and --orders, or a shorter time");
    }

    private boolean hasShownSomething() {
        return unitsLeft > 0 && (kind == Kind.KILLED || passedOn);
    }

    @Override
    public String toString() {
        return Text.format(
                "%s %s%s after %.1f s with %d units left",
                kind, node, heldLock ? ", which held the lock," : "", afterSeconds, unitsLeft);
    }
}
