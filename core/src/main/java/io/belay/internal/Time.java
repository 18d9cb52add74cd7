package io.belay.internal;

/** The clocks of this process, injected so that leases and losses are tested without sleeping. */
interface Time {
    /** {@link System#nanoTime()}: what leases are counted by. It stands still while the machine is suspended. */
    long nanos();

    /** {@link System#currentTimeMillis()}: compared with the other only, to notice a suspension. */
    long wallMillis();

    /**
     * How far the wall clock is ahead of nanoTime, in milliseconds. A thread that is not scheduled between the two
     * readings would see a suspension that was none, so they are repeated until they were taken close together.
     */
    default long wallAheadMillis() {
        long ahead;
        int attempts = 0;
        long before;
        do {
            before = nanos();
            ahead = wallMillis() - before / 1_000_000;
        } while (nanos() - before > 500_000 && ++attempts < 10);
        return ahead;
    }

    /** The real clocks. */
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };
}
