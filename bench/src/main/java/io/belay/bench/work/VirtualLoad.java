package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** The work of ten thousand virtual threads on a hundred locks, each taking one once; again until the time is over. */
public final class VirtualLoad implements Workload {
    private static final int THREADS = 10_000;
    private static final int LOCKS = 100;
    private static final long PATIENCE_SECONDS = 60;
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final int FRAMES = 12;

    private final LongAdder violations = new LongAdder();
    private final Recorder recorder = Sample.recorder();
    private final List<Mutex> mutexes = new ArrayList<>();
    private final List<Exclusion> exclusions = new ArrayList<>();

    public VirtualLoad(WorkContext context) {
        for (int i = 0; i < LOCKS; i++) {
            mutexes.add(context.locks().mutex(context.name() + ":" + i));
            exclusions.add(new Exclusion(context.shared(), i, violations));
        }
    }

    @Override
    public void start() throws Exception {
        all();
    }

    @Override
    public Sample measure(Duration time) throws Exception {
        recorder.reset();
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ofMillis(1));
            recording.start();
            Stopwatch stopwatch = new Stopwatch();
            do {
                all();
            } while (stopwatch.read().seconds() < time.toMillis() / 1e3);
            Histogram histogram = recorder.getIntervalHistogram();
            Sample sample = Sample.timed(histogram, stopwatch.read(), violations.sumThenReset());
            recording.stop();
            return sample.with(Map.of("pinned", (double) pinned(recording)));
        }
    }

    private void all() throws Exception {
        ExecutorService threads = virtualThreads();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            running.add(threads.submit(() -> {
                once(number);
                return null;
            }));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            for (Future<?> one : running) {
                one.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException("not all threads had their lock within " + PATIENCE_SECONDS + " s", e);
        }
        threads.shutdown();
    }

    private void once(int number) throws InterruptedException {
        int lock = number % LOCKS;
        long asked = System.nanoTime();
        Held held = mutexes.get(lock).acquire();
        recorder.recordValue(System.nanoTime() - asked);
        exclusions.get(lock).enter(number + 1L);
        exclusions.get(lock).leave(number + 1L);
        held.release();
    }

    /** Makes virtual threads by reflection: this class is compiled for JDKs that do not have them. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static long pinned(Recording recording) throws Exception {
        Path file = Files.createTempFile("belay-bench-", ".jfr");
        try {
            recording.dump(file);
            List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(PINNED))
                    .toList();
            events.stream().limit(1).forEach(VirtualLoad::show);
            return events.size();
        } finally {
            Files.delete(file);
        }
    }

    private static void show(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        System.out.println("pinned for " + event.getDuration().toMillis() + " ms");
        if (stack != null) {
            stack.getFrames().stream()
                    .limit(FRAMES)
                    .forEach(frame -> System.out.println(
                            "  " + frame.getMethod().getType().getName() + "."
                                    + frame.getMethod().getName()));
        }
    }
}
