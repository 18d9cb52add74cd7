package io.belay.bench.lead;

import io.belay.bench.work.Sample;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The figures that all processes of one library measured in one round. A figure that has no meaning is NaN.
 *
 * @param opsPerSecond operations per second of all processes together
 * @param p50Micros what half of the operations took at most, in microseconds
 * @param p99Micros what 99 of 100 took at most, in microseconds
 * @param leastShare the share of the process that had the fewest, in parts of the mean
 * @param clientCpuSeconds the processor time of all processes, while they measured
 * @param violations how often exclusion was seen broken
 * @param figures what the case counts besides
 */
public record Round(
        double opsPerSecond,
        double p50Micros,
        double p99Micros,
        double leastShare,
        double clientCpuSeconds,
        long violations,
        Map<String, Double> figures) {
    private static final double NANOS = 1_000;

    /**
     * @param samples one of each process
     * @param contended whether the share of each is worth knowing
     */
    static Round of(List<Sample> samples, boolean contended) {
        Histogram all = new Histogram(3);
        Map<String, Double> figures = new TreeMap<>();
        for (Sample sample : samples) {
            all.add(sample.nanos());
            figures.putAll(sample.figures());
        }
        boolean timed = all.getTotalCount() > 0;
        double perSecond = samples.stream().mapToDouble(Sample::perSecond).sum();
        double least = samples.stream().mapToDouble(Sample::perSecond).min().orElse(0);
        return new Round(
                perSecond,
                timed ? all.getValueAtPercentile(50) / NANOS : Double.NaN,
                timed ? all.getValueAtPercentile(99) / NANOS : Double.NaN,
                contended && perSecond > 0 ? least * samples.size() / perSecond : Double.NaN,
                samples.stream().mapToDouble(Sample::cpuSeconds).sum(),
                samples.stream().mapToLong(Sample::violations).sum(),
                figures);
    }

    Round with(Map<String, Double> more) {
        Map<String, Double> both = new TreeMap<>(figures);
        both.putAll(more);
        return new Round(opsPerSecond, p50Micros, p99Micros, leastShare, clientCpuSeconds, violations, both);
    }
}
