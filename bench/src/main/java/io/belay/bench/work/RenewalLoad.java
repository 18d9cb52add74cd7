package io.belay.bench.work;

import io.belay.bench.library.Held;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** The work of holding many leases for longer than a lease lasts, so that the library has to renew them. */
public final class RenewalLoad implements Workload {
    private static final int MOST = 100_000;
    private static final int THREADS = 32;

    private final WorkContext context;
    private final int leases;
    private final AtomicReferenceArray<Held> held;
    private Crowd crowd = new Crowd(0);
    private int threadsBefore;

    public RenewalLoad(WorkContext context) {
        this.context = context;
        leases = context.scaled(MOST);
        held = new AtomicReferenceArray<>(leases);
    }

    @Override
    public void start() throws InterruptedException, ExecutionException {
        crowd = new Crowd(THREADS);
        // One of each thread that a library starts when it is first used.
        crowd.forEach(
                THREADS,
                i -> context.locks()
                        .mutex(context.name() + ":first:" + i)
                        .acquire()
                        .release());
        threadsBefore = threads();
        crowd.forEach(
                leases,
                i -> held.set(i, context.locks().mutex(context.name() + ":" + i).acquire()));
    }

    @Override
    public Sample measure(Duration time) throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        Thread.sleep(time.toMillis());
        return new Sample(
                Sample.histogram(),
                Double.NaN,
                stopwatch.read().cpuSeconds(),
                0,
                Map.of(
                        "leases",
                        (double) leases,
                        "heldSeconds",
                        time.toMillis() / 1e3,
                        "threadsBefore",
                        (double) threadsBefore,
                        "threadsAfter",
                        (double) threads()));
    }

    @Override
    public Map<String, Double> stop() throws InterruptedException, ExecutionException {
        LongAdder lost = new LongAdder();
        crowd.forEach(leases, i -> {
            Held lease = held.get(i);
            if (lease.isHeld()) {
                lease.release();
            } else {
                lost.increment();
            }
        });
        crowd.close();
        return Map.of("leasesLost", lost.doubleValue());
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }
}
