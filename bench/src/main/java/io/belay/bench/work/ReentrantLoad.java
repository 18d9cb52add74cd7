package io.belay.bench.work;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The inner pair of a lock that the thread holds already, measured by JMH in this process, which has but this to do. */
public final class ReentrantLoad implements Workload {
    /** JMH makes the benchmark's object itself, so it finds the lock here. */
    private static volatile @Nullable Lock current;

    private final WorkContext context;

    public ReentrantLoad(WorkContext context) {
        this.context = context;
    }

    @Override
    public Sample measure(Duration time) throws RunnerException {
        current = context.locks().reentrant(context.name());
        TimeValue each = TimeValue.milliseconds(time.toMillis());
        Options options = new OptionsBuilder()
                .include("^" + Inner.class.getName().replace("$", "\\.") + "\\.pair$")
                .forks(0)
                .threads(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(Math.min(1_000, time.toMillis())))
                .measurementIterations(1)
                .measurementTime(each)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        double perSecond = results.iterator().next().getPrimaryResult().getScore();
        // JMH's own work and its warm-up are in the processor time, so that it tells nothing.
        return new Sample(Sample.histogram(), perSecond, Double.NaN, 0, Map.of());
    }

    /** The benchmark. */
    @State(Scope.Thread)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public static class Inner {
        private @Nullable Lock lock;

        @Setup(Level.Iteration)
        @SuppressWarnings("LockNotBeforeTry") // held until the iteration ends
        public void hold() {
            Lock held = current();
            held.lock();
            lock = held;
        }

        @TearDown(Level.Iteration)
        public void release() {
            current().unlock();
        }

        @Benchmark
        @SuppressWarnings({"LockNotBeforeTry", "NullAway"}) // nothing but the pair is to be measured
        public void pair() {
            lock.lock();
            lock.unlock();
        }

        private static Lock current() {
            Lock held = current;
            if (held == null) {
                throw new IllegalStateException("called from outside");
            }
            return held;
        }
    }
}
