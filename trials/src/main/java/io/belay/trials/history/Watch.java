package io.belay.trials.history;

import io.belay.trials.history.Event.Type;

/**
 * A thread that does nothing but sleep, and writes down when it is woken late: then the machine was busy
 * elsewhere, or the process stood still.
 */
public final class Watch implements AutoCloseable {
    private static final long SLEEP_NANOS = 10_000_000;
    private static final long WORTH_TELLING_NANOS = 20_000_000;

    private final HistoryFile file;
    private final String process;
    private final Thread thread = new Thread(this::watch, "watch");

    private Watch(HistoryFile file, String process) {
        this.file = file;
        this.process = process;
        thread.setDaemon(true);
    }

    /** Watches for this process and writes into this file. */
    public static Watch start(HistoryFile file, String process) {
        Watch watch = new Watch(file, process);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            // From reading to reading, so that no standstill falls between two.
            for (long now = System.nanoTime(), before = now; ; before = now) {
                Thread.sleep(SLEEP_NANOS / 1_000_000);
                now = System.nanoTime();
                long since = before + SLEEP_NANOS;
                if (now - since > WORTH_TELLING_NANOS) {
                    file.add(new Event(now, process, 0, Type.STALL, 0, "-", 0, 0, 0, since));
                }
            }
        } catch (InterruptedException e) {
            // That is how it ends.
        }
    }

    /** Ends the watch, which writes nothing afterwards. */
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
