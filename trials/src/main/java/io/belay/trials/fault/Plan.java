package io.belay.trials.fault;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What to try.
 *
 * @param store the store's name
 * @param fault what goes wrong
 * @param workload the workload's name
 * @param library the library's name
 * @param plant the planted bug, or {@code none}
 * @param seconds for how long
 * @param seed what the schedule is drawn from
 * @param directory where the histories go
 */
public record Plan(
        String store,
        Fault fault,
        String workload,
        String library,
        String plant,
        int seconds,
        long seed,
        Path directory) {
    /** The lease of every lock. */
    public static final Duration LEASE = Duration.ofSeconds(1);

    /** What stands for no planted bug. */
    public static final String NO_PLANT = "none";
}
