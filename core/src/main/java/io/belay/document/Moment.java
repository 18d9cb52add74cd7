package io.belay.document;

import java.util.concurrent.TimeUnit;

/**
 * An instant by both clocks of this process: nanoTime stands still while the machine is suspended, and the wall clock does
 * not.
 */
record Moment(long nanos, long wallMillis) {
    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /** How many nanoseconds ago it was, if the machine was not suspended since. */
    long ago() {
        return System.nanoTime() - nanos;
    }

    /** Whether the wall clock has run ahead since by more than two clocks may differ. */
    boolean isOvertaken() {
        long wall = System.currentTimeMillis() - wallMillis;
        long ran = TimeUnit.NANOSECONDS.toMillis(ago());
        return wall > ran + ran / 100 + 2;
    }
}
