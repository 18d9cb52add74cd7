package io.belay;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A request to the store that was answered, but after more than half of {@link BelayOptions#withRequestTimeout the time}
 * that a request may take.
 *
 * @param kind what was asked for
 * @param took how long the answer took, as this client saw it
 * @param at when it came, by this machine's clock
 */
public record SlowRequest(RequestKind kind, Duration took, Instant at) {
    public SlowRequest {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(took, "took");
        Objects.requireNonNull(at, "at");
    }
}
