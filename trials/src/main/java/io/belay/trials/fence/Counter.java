package io.belay.trials.fence;

import io.belay.fence.FencingToken;

/** A number somewhere, to which holders of a lock add one each: by a guard, or as if there were none. Begins at 0. */
interface Counter extends AutoCloseable {
    /** An addition that has read the number and has not written it. */
    interface Addition {
        /**
         * Writes the number that is one more than what was read.
         *
         * @throws io.belay.fence.StaleTokenException if the guard refuses
         */
        void write() throws Exception;
    }

    /** Returns the number. */
    long value() throws Exception;

    /** Reads the number, after the fence was raised. */
    Addition guarded(FencingToken token) throws Exception;

    /** Reads the number. */
    Addition unguarded() throws Exception;

    @Override
    void close() throws Exception;
}
