package io.belay.bench.work;

import java.time.Duration;
import java.util.Map;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A runner of JMH's benchmarks in this process, which has nothing else to do. */
final class Jmh {
    private Jmh() {}

    /** Measures the class's one benchmark, {@code pair}, on one thread. */
    static Sample measure(Class<?> benchmark, Duration time) throws RunnerException {
        TimeValue each = TimeValue.milliseconds(time.toMillis());
        Options options = new OptionsBuilder()
                .include("^" + benchmark.getName().replace("$", "\\.") + "\\.pair$")
                .forks(0)
                .threads(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(Math.min(1_000, time.toMillis())))
                .measurementIterations(1)
                .measurementTime(each)
                .verbosity(VerboseMode.SILENT)
                .build();
        double perSecond =
                new Runner(options).run().iterator().next().getPrimaryResult().getScore();
        // JMH's own work and its warm-up are in the processor time, so that it tells nothing.
        return new Sample(Sample.histogram(), perSecond, Double.NaN, 0, Map.of());
    }
}
