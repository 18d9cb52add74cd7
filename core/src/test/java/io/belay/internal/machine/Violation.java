package io.belay.internal.machine;

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
        /** Conflicting holds begin in the order of their tokens. */
        TOKEN_FELL,
        /** Each caller hears once how its wait ended, once that it lost, once what became of its release. */
        TOLD_TWICE,
        /** Whose wait is over was told so; and, where all are prompt, whoever holds no longer. */
        UNTOLD,
        /** Where all are prompt and nothing goes wrong nobody loses what it holds. */
        LOST_FOR_NOTHING,
        /** What is granted stays granted until it leaves, yields or expires. */
        GRANT_REVOKED,
        /** What is told to be given back, and to stay taken, is kept for that time, and no more of it than its owner had. */
        NOT_KEPT,
        /** When all is quiet, every claim has an owner who knows it. */
        ORPHAN,
        /** When all is quiet and nothing was lost, whoever is granted a claim knows. */
        GRANT_MISSED,
        /** A machine that somebody waits for has a timer. */
        STUCK,
        /** Once its timer has fired, nothing is due any more. */
        BUSY_LOOP,
        /** A machine that nobody uses retires. */
        LEFT_BEHIND,
        /** A grant that nobody believes in holds nobody up for longer than the bound. */
        STANDSTILL,
        /** Something threw. */
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
