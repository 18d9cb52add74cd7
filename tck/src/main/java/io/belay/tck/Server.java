package io.belay.tck;

import java.time.Duration;

/** The server of a store, which a test can kill. */
public interface Server {
    /** Ends it at once, without a chance to save anything. */
    void kill();

    /** Starts it again after a kill, at the same address and with whatever it has saved. Returns when it answers. */
    void restart();

    /** Whether its clock can be set. */
    default boolean canSetClock() {
        return false;
    }

    /**
     * Sets its clock while it runs.
     *
     * @param offset how far it is ahead of the true time from now on, or behind if negative
     */
    default void setClock(Duration offset) {
        throw new UnsupportedOperationException("the clock of this server cannot be set");
    }
}
