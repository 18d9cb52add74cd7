package io.belay.internal.claim;

import java.util.List;

/**
 * A promise that was broken.
 *
 * @param kind which one
 * @param text what was seen
 * @param trace what led there, in words
 */
record Violation(Kind kind, String text, List<String> trace) {
    /** The promises. */
    enum Kind {
        /** Those who believe to hold the resource at one moment never exceed its capacity. */
        TWO_HOLDERS,
        /** Conflicting beliefs begin in the order of their sequences. */
        TOKEN_FELL,
        /** What was lost is never held again. */
        HELD_AGAIN,
        /** What is granted stays granted until it leaves, yields or expires. */
        GRANT_REVOKED,
        /** When all is quiet, every claim has an owner who knows it. */
        ORPHAN,
        /** When all is quiet and nothing was lost, whoever is granted a claim knows. */
        GRANT_MISSED,
        /** A client that waits for something has a timer. */
        STUCK,
        /** A grant that nobody believes in holds nobody up for longer than the bound. */
        STANDSTILL,
        /** The model threw. */
        ERROR
    }

    Violation(Kind kind, String text) {
        this(kind, text, List.of());
    }

    Violation with(List<String> steps) {
        return new Violation(kind, text, steps);
    }

    @Override
    public String toString() {
        return kind + ": " + text + "\n    " + String.join("\n    ", trace);
    }
}
