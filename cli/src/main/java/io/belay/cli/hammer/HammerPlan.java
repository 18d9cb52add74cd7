package io.belay.cli.hammer;

import io.belay.LockOptions;
import java.time.Duration;

/**
 * What is to be measured.
 *
 * @param name the lock's name
 * @param store the URL of its store, as it was given
 * @param processes how many processes
 * @param threads how many threads in each
 * @param seconds for how long
 * @param lease the lease
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
    LockOptions lockOptions() {
        return LockOptions.defaults().withLease(lease).withSlice(slice).withStrictOrder(strict);
    }
}
