package io.belay;

import java.time.Duration;

/**
 * A lease that this client holds, at one moment.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface OwnHold {
    /** Returns the lock's full name. */
    String name();

    /** Returns how it is held. */
    LockMode mode();

    /** Returns the number of permits; 1 for anything but a semaphore. */
    int permits();

    /** Returns its fencing token. */
    long token();

    /** Returns the thread that acquired it. */
    String thread();

    /** Returns on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's. */
    String behalf();

    /** Returns how long it has been held. */
    Duration held();

    /** Returns how long it is held unless it is renewed. */
    Duration remaining();
}
