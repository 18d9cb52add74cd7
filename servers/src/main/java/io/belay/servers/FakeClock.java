package io.belay.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Debian's package faketime, which shows a process a clock that is off. */
final class FakeClock {
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final Path SHARED = Path.of("/dev/shm");

    private FakeClock() {}

    static Optional<Path> library() {
        if (!Files.isDirectory(LIBRARIES)) {
            return Optional.empty();
        }
        // One directory an architecture.
        try (Stream<Path> directories = Files.list(LIBRARIES)) {
            return directories
                    .map(directory -> directory.resolve("faketime/libfaketime.so.1"))
                    .filter(Files::isReadable)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The environment for a process that looks at its clock all the time: the file is read once a second, not at
     * each look. A JVM waits by the monotonic clock, and the library is told that this machine's C library can do so:
     * else it takes such a wait for one by the wall clock, which is over at once after a step forward, and all threads
     * that wait would keep the processors busy.
     */
    static Map<String, String> environmentForJava(Path file) {
        Map<String, String> environment = new HashMap<>(environment(file));
        environment.remove("FAKETIME_NO_CACHE");
        environment.put("FAKETIME_CACHE_DURATION", "1");
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        return environment;
    }

    /** The environment for a process whose clock is off by what a file says. Its timers run as ever. */
    static Map<String, String> environment(Path file) {
        Path library =
                library().orElseThrow(() -> new IllegalStateException("faketime is missing: apt-get install faketime"));
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }

    /** Says by how much the clock is off from now on, also while the process runs. */
    static void set(Path file, Duration offset) throws IOException {
        Path written = Files.writeString(
                file.resolveSibling("clock.new"), String.format(Locale.ROOT, "%+.3fs", offset.toMillis() / 1000.0));
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Puts away what the library has in shared memory for a process, and leaves there when that is killed. */
    static void forget(long pid) {
        try {
            Files.deleteIfExists(SHARED.resolve("faketime_shm_" + pid));
            Files.deleteIfExists(SHARED.resolve("sem.faketime_sem_" + pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
