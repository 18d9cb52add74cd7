package io.belay.cli.hammer;

import io.belay.DistributedLock;
import io.belay.Lease;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** A thread that acquires and releases the lock as fast as it can. */
final class HammerThread extends Thread {
    private final DistributedLock lock;
    private final Exclusion exclusion;
    // In nanoseconds. Recording does not wait for whoever takes the figures out.
    private final Recorder recorder = new Recorder(2);
    private volatile boolean ended;
    private Histogram measured = new Histogram(2);

    HammerThread(DistributedLock lock, Exclusion exclusion, int number) {
        super("hammer-" + number);
        setDaemon(true);
        this.lock = lock;
        this.exclusion = exclusion;
    }

    @Override
    public void run() {
        try {
            while (!ended) {
                long asked = System.nanoTime();
                try (Lease lease = lock.acquire()) {
                    recorder.recordValue(System.nanoTime() - asked);
                    exclusion.enter(lease.token());
                    exclusion.leave();
                }
            }
        } catch (InterruptedException e) {
            // Told to end while waiting.
        }
    }

    /** Forgets what was recorded so far. */
    void measure() {
        recorder.reset();
    }

    /** Keeps what was recorded since {@link #measure}. */
    void endMeasuring() {
        measured = recorder.getIntervalHistogram();
    }

    Histogram measured() {
        return measured;
    }

    void end() throws InterruptedException {
        ended = true;
        interrupt();
        join(1_000);
    }
}
