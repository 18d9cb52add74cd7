package io.belay.trials.fault;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.history.Watch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A record of what is done to whom. Thread-safe. */
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

    /** Writes down that something was done that is no matter of one client process. */
    void strike(String what) {
        strikes.incrementAndGet();
        file.add(new Event(System.nanoTime(), "-", 0, Type.STRIKE, 0, what, 0, 0, 0, 0));
    }

    /** Writes down that this is over. */
    void calm(String what) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.CALM, 0, what, 0, 0, 0, 0));
    }

    /** Writes down that so many claims of a lock were left in the store, or something that it keeps for so long. */
    void left(String name, int claims, long millis) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.LEFT, 0, name, claims, 0, 0, millis));
    }

    /** Writes down that what the store keeps of a lock has so many bytes, with so many claims in it. */
    void record(String name, int claims, long bytes) {
        file.add(new Event(System.nanoTime(), "-", 0, Type.RECORD, 0, name, claims, 0, 0, bytes));
    }

    /** Writes down that a process ended with another exit code than 0, though nobody killed it. */
    void failed(String process, int code) {
        file.add(new Event(System.nanoTime(), process, -1, Type.DEFECT, 0, "exit-code-" + code, 0, 0, 0, 0));
    }

    /** Returns how many faults there were so far. */
    int strikes() {
        return strikes.get();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        watch.close();
        file.close();
    }
}
