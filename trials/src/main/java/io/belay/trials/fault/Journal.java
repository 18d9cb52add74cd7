package io.belay.trials.fault;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.history.Watch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what is done to whom. Thread-safe. */
final class Journal implements AutoCloseable {
    private final HistoryFile file;
    private final Watch watch;
    private final AtomicInteger strikes = new AtomicInteger();

    Journal(Path directory) throws IOException {
        file = new HistoryFile(directory, "faults");
        watch = Watch.start(file, "-");
    }

    void add(Type type, String process) {
        if (type == Type.PAUSE || type == Type.KILL) {
            strikes.incrementAndGet();
        }
        file.add(new Event(System.nanoTime(), process, 0, type, 0, "-", 0, 0, 0, 0));
    }

    /** Something was done that is no matter of one client process. */
    void strike(String what) {
        strikes.incrementAndGet();
        file.add(new Event(System.nanoTime(), "-", 0, Type.STRIKE, 0, what, 0, 0, 0, 0));
    }

    /** It is over. */
    void calm(String what) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.CALM, 0, what, 0, 0, 0, 0));
    }

    /** So many claims of a lock were left in the store, or something that it keeps for so long. */
    void left(String name, int claims, long millis) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.LEFT, 0, name, claims, 0, 0, millis));
    }

    /** What the store keeps of a lock has so many bytes, with so many claims in it. */
    void record(String name, int claims, long bytes) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.RECORD, 0, name, claims, 0, 0, bytes));
    }

    /** How many faults there were so far. */
    int strikes() {
        return strikes.get();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        watch.close();
        file.close();
    }
}
