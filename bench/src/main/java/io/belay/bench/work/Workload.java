package io.belay.bench.work;

import java.time.Duration;
import java.util.Map;

/** What one process of a case does, led from step to step by its parent; several rounds one after the other. */
public interface Workload {
    /** Begins. The compiler warms up between this and {@link #measure}. */
    default void start() throws Exception {}

    /** Measures for this long, while the other processes of the case do the same. */
    Sample measure(Duration time) throws Exception;

    /** Ends a round, and tells what can only be counted now. Nothing is held and nobody waits afterwards. */
    default Map<String, Double> stop() throws Exception {
        return Map.of();
    }
}
