package io.belay.quorum;

/** The pauses after which a waiting claim looks at the members again, if it hears no signal before. In nanoseconds. */
final class Backoff {
    private static final long MILLI = 1_000_000;

    /** The longest that a claim does not look by itself. */
    private static final long BACKSTOP = 2_000 * MILLI;

    private static final long PAUSE = 64 * MILLI;
    private static final long SHORT_PAUSE = 4 * MILLI;
    /** The time that a claim that yields leaves to others. */
    private static final long YIELD_PAUSE = 8 * MILLI;

    private static final int MOST_DOUBLINGS = 10;

    private final Quorum quorum;
    private final long most;
    /** The number of looks in vain since the claim heard a signal. */
    private int misses;

    Backoff(Quorum quorum, long leaseMicros) {
        this.quorum = quorum;
        most = Math.min(BACKSTOP, Math.max(SHORT_PAUSE, leaseMicros * 1000 / 3));
    }

    /** Returns the pause of a claim that is not the first of those that wait, in case nobody is. */
    long behindOthers() {
        return quorum.jittered(BACKSTOP);
    }

    /** Returns longer and longer pauses, but none past the instant at which there should be room. */
    long afterMiss(Attempt over) {
        int doublings = Math.min(MOST_DOUBLINGS, misses++);
        long pause = over.wasClose()
                ? quorum.spread() + Math.min(most, SHORT_PAUSE << doublings) / 2
                : quorum.jittered(Math.min(most, PAUSE << doublings));
        long free = over.freeIn();
        return free < pause ? free + quorum.spread() : pause;
    }

    long afterSignal() {
        misses = 0;
        return quorum.moment();
    }

    long afterYield() {
        misses = 0;
        return quorum.jittered(YIELD_PAUSE) + quorum.afterOthers();
    }
}
