package io.belay.internal.machine;

/** Whether a client lets anybody in, and whether anybody has anything by it. */
public enum ClientState {
    OPEN,
    PAUSING,
    PAUSED,
    CLOSING,
    CLOSED;

    /** Returns whether those who hold go on, and nobody else, until the client is paused or closed. */
    public boolean isDraining() {
        return this == PAUSING || this == CLOSING;
    }

    /** Returns whether nobody holds or waits. */
    public boolean isDown() {
        return this == PAUSED || this == CLOSED;
    }

    /** Returns whether the client never lets anybody in again. */
    public boolean isOver() {
        return this == CLOSING || this == CLOSED;
    }
}
