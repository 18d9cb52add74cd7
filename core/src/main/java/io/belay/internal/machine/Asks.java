package io.belay.internal.machine;

import io.belay.spi.Owner;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The things that a caller asks for; immutable but for the highest token.
 *
 * @param ifFree whether it wants the lock at once or not at all
 * @param maxHold the longest hold in nanoseconds, or {@link Long#MAX_VALUE}
 * @param atLeast the time for which the lock stays taken at least, in nanoseconds
 * @param highest the highest token that was granted through the lock object that it came through, to notice a store that went
 *     back; null for those who share, whose tokens need no order
 * @param behalf the one on whose behalf it asks; empty if nobody is named
 * @param breaks whether its wait ends when it is in a deadlock, and is the one to give up
 */
public record Asks(
        boolean ifFree,
        long maxHold,
        long atLeast,
        @Nullable AtomicLong highest,
        String behalf,
        boolean breaks) {
    public Asks {
        behalf = behalf.replace(Owner.NOTE, ' '); // behind which other clients read a note
    }

    /** Returns what those ask for who want it at once or not at all. */
    public Asks atOnce() {
        return new Asks(true, maxHold, atLeast, highest, behalf, breaks);
    }

    /** Returns the same for who holds another weight from now on, after so many nanoseconds of the longest hold. */
    Asks after(long held) {
        return new Asks(ifFree, maxHold == Caller.NEVER ? maxHold : maxHold - held, atLeast, highest, behalf, breaks);
    }

    /** Raises the highest token to this one and returns what it was before. */
    public long raise(long token) {
        return highest == null ? Long.MIN_VALUE : highest.getAndAccumulate(token, Math::max);
    }
}
