package io.belay.bench.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** The threads that do the same step again and again, and what it took each time. */
final class LoopingThreads {
    /** A step that a thread does again and again. */
    interface Step {
        /** Does the step once, and records what it took if that counts. */
        void once(Recorder recorder) throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final List<Recorder> recorders = new ArrayList<>();
    private volatile boolean stopped;

    /** Starts one thread more. */
    void start(Step step) {
        Recorder recorder = new Recorder(3);
        Thread thread = new Thread(() -> loop(step, recorder), "bench-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        recorders.add(recorder);
        thread.start();
    }

    boolean stopped() {
        return stopped;
    }

    private void loop(Step step, Recorder recorder) {
        try {
            while (!stopped) {
                step.once(recorder);
            }
        } catch (Throwable e) {
            Failure.end(e);
        }
    }

    /** Measures what the threads do in this time, with the violations that were seen meanwhile or before. */
    Sample measure(Duration time, LongAdder violations) throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        recorders.forEach(Recorder::reset);
        Thread.sleep(time.toMillis());
        Histogram all = Sample.histogram();
        recorders.forEach(recorder -> all.add(recorder.getIntervalHistogram()));
        return Sample.timed(all, stopwatch.read(), violations.sumThenReset());
    }

    /** Lets each thread finish its step, and end. */
    void end() {
        stopped = true;
    }

    /** Waits until each thread has ended. */
    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
