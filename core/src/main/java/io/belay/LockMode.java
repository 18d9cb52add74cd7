package io.belay;

/** The way in which a claim wants or has a lock. */
public enum LockMode {
    /** Alone: a lock, a writer, a leader. */
    EXCLUSIVE,
    /** Beside others who do the same: a reader. */
    SHARED,
    /** Some of the permits of a semaphore. */
    PERMITS
}
