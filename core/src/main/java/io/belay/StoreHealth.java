package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a client's store, as its last requests have shown it.
 *
 * @param answering whether the last request was answered, or none was sent since the client connected; not before it has,
 *     nor while it is paused
 * @param failing for how long it has failed; zero while it answers
 * @param failure what the last failure was; empty while it answers
 * @param lastSlow the last answer that took long, however long ago; empty if none has
 */
public record StoreHealth(
        boolean answering, Duration failing, Optional<String> failure, Optional<SlowRequest> lastSlow) {
    public StoreHealth {
        Objects.requireNonNull(failing, "failing");
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(lastSlow, "lastSlow");
    }
}
