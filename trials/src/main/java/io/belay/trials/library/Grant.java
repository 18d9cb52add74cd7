package io.belay.trials.library;

/** A lock that was acquired, as a library shows it. */
public interface Grant {
    /** What {@link #token()} is where the library has none. */
    long NO_TOKEN = -1;

    /** What a release came to. */
    enum Outcome {
        RELEASED,
        LATE,
        UNKNOWN
    }

    /** The fencing token, or {@link #NO_TOKEN}. */
    long token();

    /** For how long it is still held, as far as the library says; {@link Long#MAX_VALUE} where it names no end. */
    long remainingNanos();

    /** Whether it is held, as the library says. */
    boolean isHeld();

    /** Has the library call this if the lock is lost; does nothing where it cannot. */
    void onLost(Runnable told);

    /** Turns the hold of a writer into one of a reader. */
    default Grant downgrade() {
        throw new UnsupportedOperationException("no downgrade");
    }

    /** Gives it back. */
    Outcome release();
}
