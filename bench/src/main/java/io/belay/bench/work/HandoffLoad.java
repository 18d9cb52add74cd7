package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * The work of two processes that hand one lock to and fro. It is timed from just before the release in one to the
 * grant in the other, which waits by then and sleeps: on one Linux host {@link System#nanoTime} is the same clock in
 * all processes.
 */
public final class HandoffLoad implements Workload {
    private static final int RELEASED = 0;
    private static final int HOLDER = 1;
    private static final int ASKING = 2;

    /** The pause that lets the other process fall asleep in the queue. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final WorkContext context;
    private final Mutex mutex;
    private final int me;
    private LoopingThreads threads = new LoopingThreads();

    public HandoffLoad(WorkContext context) {
        this.context = context;
        this.mutex = context.locks().mutex(context.name());
        this.me = context.number();
    }

    @Override
    public void start() {
        threads = new LoopingThreads();
        // What the last round left is no release that anybody waits for.
        context.shared().set(RELEASED, 0);
        threads.start(this::handOn);
    }

    private void handOn(Recorder recorder) throws InterruptedException {
        SharedMemory shared = context.shared();
        shared.set(ASKING + me, 1);
        Held held = mutex.acquire();
        long granted = System.nanoTime();
        long released = shared.get(RELEASED);
        shared.set(ASKING + me, 0);
        if (released != 0 && shared.get(HOLDER) != me) {
            recorder.recordValue(Math.max(0, granted - released));
        }
        shared.set(HOLDER, me);
        pauseWhile(ASKING + 1 - me, 0);
        LockSupport.parkNanos(SETTLE_NANOS);
        shared.set(RELEASED, System.nanoTime());
        held.release();
        // Whoever asks again at once would be in the other's way.
        pauseWhile(HOLDER, me);
    }

    private void pauseWhile(int index, long value) {
        while (!threads.stopped() && context.shared().get(index) == value) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public Sample measure(Duration time) throws InterruptedException {
        Sample sample = threads.measure(time, new LongAdder());
        // How many there are in a second is a matter of the pauses.
        return new Sample(sample.nanos(), Double.NaN, Double.NaN, 0, Map.of());
    }

    @Override
    public Map<String, Double> stop() throws InterruptedException {
        threads.end();
        threads.join();
        return Map.of();
    }
}
