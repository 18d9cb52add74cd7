package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A process of its own that follows in a {@link Contest}. */
final class ContestProcess implements AutoCloseable {
    private final Process process;

    private ContestProcess(Process process) {
        this.process = process;
    }

    /** Starts the process, and waits until it is connected. */
    static ContestProcess start(String url, Duration lease, Path file, Contest.Kind kind) throws IOException {
        ContestProcess started = new ContestProcess(
                LockProcess.java(ContestProcess.class, url, lease.toString(), file.toString(), kind.name()));
        if (!"connected"
                .equals(started.process.inputReader(StandardCharsets.UTF_8).readLine())) {
            started.close();
            throw new IOException("the process that is to contest a lock did not start; it says why above");
        }
        return started;
    }

    public static void main(String[] arguments) throws Exception {
        BelayOptions options = BelayOptions.defaults()
                .withClientName("child")
                .withLockDefaults(LockOptions.defaults().withLease(Duration.parse(arguments[1])));
        try (Belay belay = Belay.connect(arguments[0], options)) {
            System.out.println("connected");
            new Contest(Path.of(arguments[2]), Contest.Kind.valueOf(arguments[3])).follow(belay);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
