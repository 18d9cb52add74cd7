package io.belay.internal.machine;

/** The meaning of an answer or a push for those who use the claim. */
public enum News {
    NOTHING,
    GRANTED,
    /** It was held, or waited, and is no longer. */
    GONE,
    /** It was to enter only if granted at once, and was not. */
    BUSY,
    REFUSED
}
