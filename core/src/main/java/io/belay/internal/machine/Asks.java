package io.belay.internal.machine;

import io.belay.spi.Owner;

/**
 * The things that a caller asks for.
 *
 * @param ifFree whether it wants the lock at once or not at all
 * @param maxHold the longest hold in nanoseconds, or {@link Long#MAX_VALUE}
 * @param atLeast for how long the lock stays taken at least, in nanoseconds
 * @param highestToken of the lock object that it came through
 * @param behalf on whose behalf; empty if nobody is named
 * @param breaks whether its wait ends when it is in a deadlock, and is the one to give up
 */
public record Asks(
        boolean ifFree, long maxHold, long atLeast, HighestToken highestToken, String behalf, boolean breaks) {
    public Asks {
        behalf = behalf.replace(Owner.NOTE, ' '); // behind which other clients read a note
    }
}
