package io.belay.flashsale;

import io.belay.cli.text.Text;

/**
 * A fault that the saboteur brought about in a node.
 *
 * @param kind what was done to the node
 * @param node the node's name
 * @param heldLock whether the node certainly held the lock
 * @param afterSeconds how long the sale had gone on
 * @param unitsLeft how many units were not sold yet
 * @param at when it was done, in milliseconds since 1970
 */
record Fault(Kind kind, String node, boolean heldLock, double afterSeconds, int unitsLeft, long at) {
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

    @Override
    public String toString() {
        return Text.format(
                "%s %s%s after %.1f s with %d units left",
                kind, node, heldLock ? ", which held the lock," : "", afterSeconds, unitsLeft);
    }
}
