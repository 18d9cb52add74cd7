package io.belay;

import java.time.Duration;
import java.util.Objects;

/**
 * A thread or future of this client that waits for a lock, at one moment.
 *
 * @param name the lock's full name
 * @param mode how it is wanted
 * @param permits the number of permits; 1 for anything but a semaphore
 * @param thread the thread that asked
 * @param behalf on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's
 * @param waited how long it has waited
 */
public record OwnWait(String name, LockMode mode, int permits, String thread, String behalf, Duration waited) {
    public OwnWait {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(behalf, "behalf");
        Objects.requireNonNull(waited, "waited");
    }
}
