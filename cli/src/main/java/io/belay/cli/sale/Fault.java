package io.belay.cli.sale;

import io.belay.cli.text.Text;

/**
 * What was done to a node on purpose.
 *
 * @param kind what
 * @param node to which
 * @param heldLock whether it certainly held the lock
 * @param afterSeconds after how long a sale
 * @param unitsLeft how many units were not sold yet
 * @param at when, in milliseconds since 1970
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
