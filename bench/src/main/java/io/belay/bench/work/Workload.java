package io.belay.bench.work;

import java.time.Duration;
import java.util.Map;

/** The work of one process of a case, led from step to step by its parent; several rounds one after the other. */
public interface Workload {
    /** Begins a round. The compiler warms up between this and {@link #measure}. */
    default void start() throws Exception {}

    /** Measures for this long, while the other processes of the case do the same. */
    Sample measure(Duration time) throws Exception;

    /** Ends a round, and returns what can only be counted now. Afterwards nothing is held, and no thread waits. */
    default Map<String, Double> stop() throws Exception {
        return Map.of();
    }
}
