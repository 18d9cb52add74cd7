package io.belay.internal.machine;

/**
 * Whether a client lets anybody in, and whether anybody has anything by it. While it is pausing or closing those who
 * hold go on, and nobody else, until it is paused or closed.
 */
public enum ClientState {
    OPEN,
    PAUSING,
    PAUSED,
    CLOSING,
    CLOSED;

    /** Returns whether nobody holds or waits. */
    public boolean isDown() {
        return this == PAUSED || this == CLOSED;
    }

    /** Returns whether the client never lets anybody in again. */
    public boolean isOver() {
        return this == CLOSING || this == CLOSED;
    }
}
