package io.belay.bench.work;

import io.belay.bench.library.Held;
import io.belay.bench.library.Mutex;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/** The work of two processes that take and give back one lock by turns; timed from asking to holding. */
public final class MoveLoad implements Workload {
    private static final int TURN = 0;

    /** The pause that lets the other process finish all that its release brought about. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final WorkContext context;
    private final Mutex mutex;
    private final int me;
    private LoopingThreads threads = new LoopingThreads();

    public MoveLoad(WorkContext context) {
        this.context = context;
        this.mutex = context.locks().mutex(context.name());
        this.me = context.number();
    }

    @Override
    public void start() {
        threads = new LoopingThreads();
        threads.start(this::move);
    }

    private void move(Recorder recorder) throws InterruptedException {
        while (!threads.stopped() && context.shared().get(TURN) != me) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        LockSupport.parkNanos(SETTLE_NANOS);
        if (threads.stopped()) {
            return;
        }
        long asked = System.nanoTime();
        Held held = mutex.acquire();
        recorder.recordValue(System.nanoTime() - asked);
        held.release();
        context.shared().set(TURN, 1 - me);
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
