package io.belay.internal.machine;

import io.belay.spi.Owner;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The things that a caller asks for; immutable but for the highest token. */
public final class Asks {
    /** The longest hold in nanoseconds, or {@link Long#MAX_VALUE}. */
    final long maxHold;

    /** The time for which the lock stays taken at least, in nanoseconds. */
    public final long atLeast;

    /**
     * The highest token that was granted through the lock object that it came through, to notice a store that went back; null for
     * those who share, whose tokens need no order.
     */
    public final @Nullable AtomicLong highest;

    /** The one on whose behalf it asks; empty if nobody is named. */
    public final String behalf;

    /** Whether its wait ends when it is in a deadlock, and is the one to give up. */
    public final boolean breaks;

    /** True if its wait tells nobody that something is wrong, however long it is: it stands by, or waits for what others do. */
    public final boolean isPatient;

    public Asks(
            long maxHold,
            long atLeast,
            @Nullable AtomicLong highest,
            String behalf,
            boolean breaks,
            boolean isPatient) {
        this.maxHold = maxHold;
        this.atLeast = atLeast;
        this.highest = highest;
        this.behalf = behalf.replace(Owner.NOTE, ' '); // behind which other clients read a note
        this.breaks = breaks;
        this.isPatient = isPatient;
    }

    /** Returns the same for whose wait is no sign that something is wrong. */
    public Asks patient() {
        return new Asks(maxHold, atLeast, highest, behalf, breaks, true);
    }

    /** Returns the same for who holds another weight from now on, after so many nanoseconds of the longest hold. */
    Asks after(long held) {
        long left = maxHold == Caller.NEVER ? maxHold : maxHold - held;
        return new Asks(left, atLeast, highest, behalf, breaks, isPatient);
    }

    /** Returns what is asked for through another lock object. */
    public Asks anew() {
        return new Asks(maxHold, atLeast, highest == null ? null : new AtomicLong(), behalf, breaks, isPatient);
    }

    /** Raises the highest token to this one and returns what it was before. */
    public long raise(long token) {
        return highest == null ? Long.MIN_VALUE : highest.getAndAccumulate(token, Math::max);
    }
}
