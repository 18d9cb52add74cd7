package io.belay.bench.work;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The use of a million names, once each, which measures what is left of them in the heap. */
public final class NameLoad implements Workload {
    private static final int MOST = 1_000_000;
    private static final int WARM_UP = 20_000;
    private static final int THREADS = 32;
    private static final double MEGABYTE = 1 << 20;

    private final WorkContext context;
    private Crowd crowd = new Crowd(0);

    public NameLoad(WorkContext context) {
        this.context = context;
    }

    @Override
    public void start() throws InterruptedException, ExecutionException {
        crowd = new Crowd(THREADS);
        use(":warm:", WARM_UP);
    }

    @Override
    public Sample measure(Duration time) throws Exception {
        int names = context.scaled(MOST);
        double before = heap();
        Stopwatch stopwatch = new Stopwatch();
        use(":", names);
        Stopwatch.Reading reading = stopwatch.read();
        // For what a library forgets a moment later.
        TimeUnit.SECONDS.sleep(1);
        Map<String, Double> figures = new TreeMap<>();
        figures.put("names", (double) names);
        figures.put("heapGrowthMegabytes", heap() - before);
        if (!context.locks().traces().isEmpty()) {
            figures.put("gatesLeft", (double) Instances.of(context.locks().traces()));
        }
        return new Sample(Sample.histogram(), names / reading.seconds(), reading.cpuSeconds(), 0, figures);
    }

    @Override
    public Map<String, Double> stop() {
        crowd.close();
        return Map.of();
    }

    private void use(String prefix, int names) throws InterruptedException, ExecutionException {
        crowd.forEach(
                names,
                i -> context.locks()
                        .mutex(context.name() + prefix + i)
                        .acquire()
                        .release());
    }

    /** Returns the use of the heap after full collections, in megabytes. */
    private static double heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
    }
}
