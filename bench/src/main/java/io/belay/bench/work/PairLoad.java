package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** The work of threads that take and give back locks as fast as they can. */
public final class PairLoad implements Workload {
    private final WorkContext context;
    private final int count;
    private final boolean shared;
    private final long work;
    private final LongAdder violations = new LongAdder();
    private LoopingThreads threads = new LoopingThreads();

    private PairLoad(WorkContext context, int count, boolean shared, Duration work) {
        this.context = context;
        this.count = count;
        this.shared = shared;
        this.work = work.toNanos();
    }

    /** Returns the work with a lock for each thread, so that each is free; timed from asking to having given back. */
    public static PairLoad free(WorkContext context, int threads) {
        return new PairLoad(context, threads, false, Duration.ZERO);
    }

    /** Returns the work with one lock for all; timed from asking to holding. Inside, it keeps a processor busy. */
    public static PairLoad hot(WorkContext context, int threads, Duration work) {
        return new PairLoad(context, threads, true, work);
    }

    @Override
    public void start() {
        threads = new LoopingThreads();
        for (int i = 0; i < count; i++) {
            int lock = shared ? 0 : i;
            Mutex mutex = context.locks().mutex(context.name() + ":" + lock);
            Exclusion exclusion = new Exclusion(context.shared(), lock, violations);
            long who = context.number() * 1_000L + i + 1;
            threads.start(recorder -> pair(mutex, exclusion, who, recorder));
        }
    }

    private void pair(Mutex mutex, Exclusion exclusion, long who, Recorder recorder) throws InterruptedException {
        long asked = System.nanoTime();
        Held held = mutex.acquire();
        if (shared) {
            recorder.recordValue(System.nanoTime() - asked);
        }
        exclusion.enter(who);
        if (work > 0) {
            work();
        }
        exclusion.leave(who);
        held.release();
        if (!shared) {
            recorder.recordValue(System.nanoTime() - asked);
        }
    }

    private void work() {
        long end = System.nanoTime() + work;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public Sample measure(Duration time) throws InterruptedException {
        return threads.measure(time, violations);
    }

    @Override
    public Map<String, Double> stop() throws InterruptedException {
        threads.end();
        threads.join();
        return Map.of();
    }
}
