package io.belay.cli.hammer;

import io.belay.LockOptions;
import io.belay.cli.text.Text;
import java.time.Duration;

/**
 * The plan of a measurement.
 *
 * @param name the lock's name
 * @param store the URL of its store, as it was given
 * @param processes how many processes there are
 * @param threads how many threads each process has
 * @param seconds how long they measure
 * @param lease the lock's lease
 * @param slice for how long a process hands the lock on among its own threads
 * @param strict whether all threads of all processes are served in order
 */
record HammerPlan(
        String name,
        String store,
        int processes,
        int threads,
        int seconds,
        Duration lease,
        Duration slice,
        boolean strict) {
    /** Returns how large it is, in words. */
    String size() {
        return Text.count(processes, "process", "processes") + " of " + Text.count(threads, "thread", "threads")
                + " for " + seconds + " s";
    }

    LockOptions lockOptions() {
        return LockOptions.defaults().withLease(lease).withSlice(slice).withStrictOrder(strict);
    }
}
