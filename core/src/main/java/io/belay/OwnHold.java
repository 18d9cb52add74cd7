package io.belay;

import java.time.Duration;
import java.util.Objects;

/**
 * A lease that this client holds, at one moment.
 *
 * @param name the lock's full name
 * @param mode how it is held
 * @param permits the number of permits; 1 for anything but a semaphore
 * @param token its fencing token
 * @param thread the thread that acquired it
 * @param behalf on whose behalf, as {@link Belay#onBehalfOf} has named it; empty if nobody's
 * @param held how long it has been held
 * @param remaining how long it is held unless it is renewed
 */
public record OwnHold(
        String name,
        LockMode mode,
        int permits,
        long token,
        String thread,
        String behalf,
        Duration held,
        Duration remaining) {
    public OwnHold {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(behalf, "behalf");
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(remaining, "remaining");
    }

    /** Makes a hold of the whole lock; the methods below add the rest. */
    public static OwnHold of(String name, long token, String thread, String behalf) {
        return new OwnHold(name, LockMode.EXCLUSIVE, 1, token, thread, behalf, Duration.ZERO, Duration.ZERO);
    }

    /** Returns the same hold, with how the lock is held. */
    public OwnHold withMode(LockMode mode, int permits) {
        return new OwnHold(name, mode, permits, token, thread, behalf, held, remaining);
    }

    /** Returns the same hold, with how long it has been held, and is unless it is renewed. */
    public OwnHold withTimes(Duration held, Duration remaining) {
        return new OwnHold(name, mode, permits, token, thread, behalf, held, remaining);
    }
}
