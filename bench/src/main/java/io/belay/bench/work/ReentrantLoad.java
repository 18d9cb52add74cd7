package io.belay.bench.work;

import io.belay.bench.library.ReentrantLocks;
import java.time.Duration;
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
import org.openjdk.jmh.runner.RunnerException;

/** The work of one thread that takes and gives back a lock that it holds already, measured by JMH. */
public final class ReentrantLoad implements Workload {
    /** The lock that is measured: JMH makes the benchmark's object itself, which finds it here. */
    private static volatile @Nullable Lock current;

    private final WorkContext context;

    public ReentrantLoad(WorkContext context) {
        this.context = context;
    }

    @Override
    public Sample measure(Duration time) throws RunnerException {
        current = context.locks(ReentrantLocks.class).reentrant(context.name());
        return Jmh.measure(Inner.class, time);
    }

    /** The benchmark that JMH runs. */
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
