package io.belay.bench.work;

import java.util.concurrent.atomic.LongAdder;

/** A check, inside a lock, whether another thread of any process is in it too. */
public final class Exclusion {
    private static final long NOBODY = 0;

    // Neither atomic nor ordered: it is the lock that is to make it safe.
    private final SharedMemory memory;
    private final int index;
    private final LongAdder violations;

    /**
     * @param index which number of the memory stands for the lock
     * @param violations counts what the check notices
     */
    Exclusion(SharedMemory memory, int index, LongAdder violations) {
        this.memory = memory;
        this.index = index;
        this.violations = violations;
    }

    /**
     * Notes that a thread has come in; the thread calls this first.
     *
     * @param who a number of the thread's own, not zero
     */
    void enter(long who) {
        if (memory.plain(index) != NOBODY) {
            violations.increment();
        }
        memory.plain(index, who);
    }

    /** Notes that a thread goes out; the thread calls this last. */
    void leave(long who) {
        if (memory.plain(index) != who) {
            violations.increment();
        }
        memory.plain(index, NOBODY);
    }
}
