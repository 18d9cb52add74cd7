package io.belay.cli.hammer;

import io.belay.cli.text.Json;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of all processes.
 *
 * @param workers what each process did
 * @param seconds how long they measured
 */
record HammerResult(List<WorkerResult> workers, int seconds) {
    double perSecond() {
        return workers.stream().mapToDouble(WorkerResult::perSecond).sum();
    }

    /** Returns the least process's share, in parts of the mean: 1 is perfectly fair. */
    double leastShare() {
        double mean = perSecond() / workers.size();
        double least =
                workers.stream().mapToDouble(WorkerResult::perSecond).min().orElse(0);
        return mean == 0 ? 0 : least / mean;
    }

    /** Returns whether no process had the lock. */
    boolean isEmpty() {
        return workers.stream().allMatch(worker -> worker.acquisitions() == 0);
    }

    /** Returns the percentile of what acquisitions took; null if there was none, as 0 would be taken for the best there is. */
    @Nullable
    Double percentileMicros(double percentile) {
        Histogram all = new Histogram(2);
        workers.forEach(worker -> all.add(worker.nanos()));
        return isEmpty() ? null : Json.round(all.getValueAtPercentile(percentile) / 1_000.0);
    }

    long violations() {
        return workers.stream().mapToLong(WorkerResult::violations).sum();
    }
}
