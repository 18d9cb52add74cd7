package io.belay.internal.machine;

/** The outcome of an arrival at a {@link Machine}. */
public enum Entry {
    ENTERED,
    /** The machine is not used any more: the caller is to find another. */
    RETIRED,
    /** The caller is a try that is to ask the store for itself, by a claim of its own. */
    APART
}
