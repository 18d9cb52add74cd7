package io.belay.internal.machine;

/**
 * Something that happens to a client.
 *
 * @param kind what it is
 * @param who which of its callers, or the number of the message
 * @param ticks a time, or a weight
 */
record SimEvent(Kind kind, int who, int ticks) {
    /** What can happen. */
    enum Kind {
        ARRIVES,
        WAKES,
        GIVES_UP,
        RELEASES,
        MOVES_ITS_END,
        ASKS_FOR_ANOTHER_WEIGHT,
        GIVES_ITS_UPGRADE_UP,
        KEEPS_NO_LONGER,
        OBSERVES,
        OBSERVES_NO_LONGER,
        HEARS,
        TIMER_FIRES,
        NOTICES_AN_END,
        LOOKS_AT_THE_CLOCKS,
        RECONNECTS,
        DRAINS,
        ENDS,
        ABANDONS,
        GOES_ON,
        STOPS,
        SLEEPS,
        /** Nothing that can be seen: the numbers of a claim's requests are made smaller. */
        COUNTS_ANEW,
        CRASHES
    }

    SimEvent(Kind kind) {
        this(kind, 0, 0);
    }

    SimEvent(Kind kind, int who) {
        this(kind, who, 0);
    }
}
