package io.belay.trials.client;

import java.time.Duration;

/** Notices that the process stood still, whoever did that to it: it may then have lost its place in a queue. */
final class Pulse {
    private static final int BEAT_MILLIS = 20;
    /** A place is lost in no less than two thirds of a lease. */
    private static final int SHARE_OF_LEASE = 4;

    private Pulse() {}

    static void start(Recorder recorder, Duration lease) {
        Thread thread = new Thread(() -> beat(recorder, lease.toNanos() / SHARE_OF_LEASE), "pulse");
        thread.setDaemon(true);
        thread.start();
    }

    private static void beat(Recorder recorder, long longest) {
        try {
            for (long last = System.nanoTime(); ; last = System.nanoTime()) {
                Thread.sleep(BEAT_MILLIS);
                if (System.nanoTime() - last > longest) {
                    recorder.stalled(last);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
