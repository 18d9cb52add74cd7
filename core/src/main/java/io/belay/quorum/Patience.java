package io.belay.quorum;

/** When a claim that waits looks at the members again, if it hears no bell before. All in nanoseconds. */
final class Patience {
    private static final long MILLI = 1_000_000;

    /** At most so long it does not look by itself. */
    private static final long BACKSTOP = 2_000 * MILLI;

    private static final long PAUSE = 64 * MILLI;
    private static final long SHORT_PAUSE = 4 * MILLI;
    /** What who yields leaves to others. */
    private static final long YIELD_PAUSE = 8 * MILLI;

    private static final int MOST_DOUBLINGS = 10;

    private final Quorum quorum;
    private final long most;
    /** How often it has looked in vain since it heard something. */
    private int misses;

    Patience(Quorum quorum, long leaseMicros) {
        this.quorum = quorum;
        most = Math.min(BACKSTOP, Math.max(SHORT_PAUSE, leaseMicros * 1000 / 3));
    }

    /** The first look was without a bell to listen for, so the second follows at once. */
    long afterFirst(Attempt over) {
        return over.wasClose() ? quorum.spread() : 0;
    }

    /** Longer and longer, but not past the instant at which there should be room. */
    long afterMiss(Attempt over) {
        int doublings = Math.min(MOST_DOUBLINGS, misses++);
        long pause = over.wasClose()
                ? quorum.spread() + Math.min(most, SHORT_PAUSE << doublings) / 2
                : quorum.jittered(Math.min(most, PAUSE << doublings));
        long free = over.freeIn();
        return free < pause ? free + quorum.spread() : pause;
    }

    long afterBell() {
        misses = 0;
        return quorum.spread();
    }

    long afterYield() {
        misses = 0;
        return quorum.jittered(YIELD_PAUSE) + quorum.afterOthers();
    }
}
