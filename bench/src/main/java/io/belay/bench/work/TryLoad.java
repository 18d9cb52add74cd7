package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import io.belay.bench.library.TryMutex;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** The work of process 0, which holds a lock, and of process 1, which tries to take it again and again, in vain. */
public final class TryLoad implements Workload {
    private final WorkContext context;
    private final LongAdder violations = new LongAdder();
    private LoopingThreads threads = new LoopingThreads();
    private CountDownLatch end = new CountDownLatch(0);

    public TryLoad(WorkContext context) {
        this.context = context;
    }

    @Override
    public void start() throws InterruptedException {
        Mutex mutex = context.locks().mutex(context.name());
        threads = new LoopingThreads();
        if (context.number() == 0) {
            CountDownLatch held = new CountDownLatch(1);
            end = new CountDownLatch(1);
            CountDownLatch until = end;
            threads.start(recorder -> hold(mutex, held, until));
            held.await();
        } else {
            TryMutex attempted = (TryMutex) mutex;
            threads.start(recorder -> attempt(attempted, recorder));
        }
    }

    private static void hold(Mutex mutex, CountDownLatch held, CountDownLatch until) throws InterruptedException {
        Held lock = mutex.acquire();
        held.countDown();
        until.await();
        lock.release();
    }

    private void attempt(TryMutex mutex, Recorder recorder) {
        long asked = System.nanoTime();
        Held held = mutex.tryAcquire();
        recorder.recordValue(System.nanoTime() - asked);
        if (held != null) {
            violations.increment();
            held.release();
        }
    }

    @Override
    public Sample measure(Duration time) throws InterruptedException {
        return threads.measure(time, violations);
    }

    @Override
    public Map<String, Double> stop() throws InterruptedException {
        // Before the holder lets go, so that it does not come round again.
        threads.end();
        end.countDown();
        threads.join();
        return Map.of();
    }
}
