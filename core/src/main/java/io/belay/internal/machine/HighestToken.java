package io.belay.internal.machine;

import java.util.concurrent.atomic.AtomicLong;

/** The highest token that was granted through one lock object, to notice a store that went back. Thread-safe. */
public final class HighestToken {
    private final boolean ordered;
    private final AtomicLong highest = new AtomicLong();

    /** Makes one that has seen nothing; {@code ordered} is false for those who share, whose tokens need no order. */
    public HighestToken(boolean ordered) {
        this.ordered = ordered;
    }

    /** Raises the highest token to this one and returns what it was before. */
    public long raise(long token) {
        return ordered ? highest.getAndAccumulate(token, Math::max) : Long.MIN_VALUE;
    }
}
