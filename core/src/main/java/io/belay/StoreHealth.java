package io.belay;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of a client's store, as its last requests have shown it: see {@link BelayAdmin#health()}.
 *
 * <p>Only Belay implements this; methods may be added.
 */
public interface StoreHealth {
    /**
     * Returns whether the last request was answered, or none was sent since the client connected; not before it has,
     * nor while it is paused.
     */
    boolean answering();

    /** Returns for how long it has failed; zero while it answers. */
    Duration failing();

    /** Returns what the last failure was; empty while it answers. */
    Optional<String> failure();

    /** Returns the last answer that took long, however long ago; empty if none has. */
    Optional<SlowRequest> lastSlow();
}
