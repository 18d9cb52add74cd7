package io.belay;

import java.time.Duration;
import java.time.Instant;

/**
 * A request to the store that was answered, but after more than half of {@link BelayOptions#withRequestTimeout the time}
 * that a request may take.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface SlowRequest {
    /** Returns what was asked for. */
    RequestKind kind();

    /** Returns how long the answer took, as this client saw it. */
    Duration took();

    /** Returns when it came, by this machine's clock. */
    Instant at();
}
