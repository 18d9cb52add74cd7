package io.belay.tck;

import java.time.Duration;

/** The server of a store, which a test can kill. */
public interface Server {
    /** Ends the server at once, without a chance to save anything. */
    void kill();

    /** Starts the server again after a kill, at the same address and with what it saved. Returns when it answers. */
    void restart();

    /** Returns whether the server's clock can be set. */
    default boolean canSetClock() {
        return false;
    }

    /**
     * Sets the server's clock while it runs.
     *
     * @param offset how far the clock is ahead of the true time from now on, or behind if negative
     */
    default void setClock(Duration offset) {
        throw new UnsupportedOperationException("the clock of this server cannot be set");
    }
}
