package io.belay.trials.library;

import java.time.Duration;

/** A lock that was acquired, as a library shows it. */
public interface Grant {
    /** The value of {@link #token()} where the library has none. */
    long NO_TOKEN = -1;

    /** The results of a release. */
    enum Outcome {
        RELEASED,
        LATE,
        UNKNOWN
    }

    /** The fencing token, or {@link #NO_TOKEN}. */
    long token();

    /**
     * Returns the nanoseconds for which the library says it is still held; {@link Long#MAX_VALUE} if it names no end.
     */
    long remainingNanos();

    /** Returns whether the lock is held, as the library says. */
    boolean isHeld();

    /** Has the library call this if the lock is lost; does nothing where it cannot. */
    void onLost(Runnable told);

    /** Turns the hold of a writer into one of a reader. */
    default Grant downgrade() {
        throw new UnsupportedOperationException("no downgrade");
    }

    /** Moves the end of the hold to so long from now. */
    default void extend(Duration duration) {
        throw new UnsupportedOperationException("no other end");
    }

    /** Gives the lock back. */
    Outcome release();

    /** Gives the lock back, but keeps everybody from having it for so long. */
    default Outcome releaseAfter(Duration delay) {
        throw new UnsupportedOperationException("no release for later");
    }
}
