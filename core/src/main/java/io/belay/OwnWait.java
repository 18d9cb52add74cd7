package io.belay;

import java.time.Duration;

/**
 * A thread or future of this client that waits for a lock, at one moment.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface OwnWait {
    /** Returns the lock's full name. */
    String name();

    /** Returns how it is wanted. */
    LockMode mode();

    /** Returns the number of permits; 1 for anything but a semaphore. */
    int permits();

    /** Returns the thread that asked. */
    String thread();

    /** Returns on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's. */
    String behalf();

    /** Returns how long it has waited. */
    Duration waited();
}
