package io.belay.trials.history;

/**
 * A hold of a lock, from the grant until nobody can claim any more that it was held.
 *
 * @param process the process that held
 * @param thread the thread that held
 * @param id the hold's number in its process
 * @param name the lock's name
 * @param weight how much of the lock it had
 * @param capacity how much there was
 * @param token the fencing token; -1 where there is none
 * @param asked when it began to ask
 * @param granted when it had it; {@link #NEVER} where it never had
 * @param validUntil the latest end that the library named since the end was moved, if it was
 * @param released when it began to release
 * @param lost when the library told of the loss
 * @param denied when the library said that it is not held, and never after that that it is
 * @param died when its process was killed
 */
public record Hold(
        String process,
        int thread,
        long id,
        String name,
        int weight,
        int capacity,
        long token,
        long asked,
        long granted,
        long validUntil,
        long released,
        long lost,
        long denied,
        long died) {
    /** Stands for an instant that did not come. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Returns when the right to hold ended, as far as the holder could know. */
    public long end() {
        return Math.min(Math.min(released, lost), Math.min(Math.min(validUntil, denied), died));
    }

    /** Returns whether the lock was held at all: a grant that is read after it expired was not. */
    public boolean wasHeld() {
        return granted < end();
    }

    /** Returns whether nobody else may have any of the lock meanwhile. */
    public boolean isExclusive() {
        return weight == capacity;
    }

    @Override
    public String toString() {
        return "process " + process + " thread " + thread + (token < 0 ? "" : " token " + token);
    }
}
