package io.belay.bench.work;

import io.belay.bench.library.Mutex;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.runner.RunnerException;

/** The work of one thread that takes and gives back one lock again and again, measured by JMH. */
public final class AgainLoad implements Workload {
    /** The lock that is measured: JMH makes the benchmark's object itself, which finds it here. */
    private static volatile @Nullable Mutex current;

    private final WorkContext context;

    public AgainLoad(WorkContext context) {
        this.context = context;
    }

    @Override
    public Sample measure(Duration time) throws RunnerException {
        current = context.locks().mutex(context.name());
        return Jmh.measure(Again.class, time);
    }

    /** The benchmark that JMH runs. */
    @State(Scope.Thread)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public static class Again {
        private @Nullable Mutex mutex;

        @Setup
        public void find() {
            mutex = current;
        }

        @Benchmark
        @SuppressWarnings("NullAway") // nothing but the pair is to be measured
        public void pair() throws InterruptedException {
            mutex.acquire().release();
        }
    }
}
