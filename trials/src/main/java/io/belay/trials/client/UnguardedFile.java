package io.belay.trials.client;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A counter in a file, for which nothing but the lock stands. */
final class UnguardedFile {
    private static final int DIGITS = 20;

    private final Path directory;

    UnguardedFile(Path directory) {
        this.directory = directory;
    }

    long read(String name) throws IOException {
        Path file = file(name);
        String text = Files.exists(file) ? Files.readString(file).strip() : "";
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** Overwrites the value in one piece: always as many digits. */
    void write(String name, long value) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(name).toFile(), "rw")) {
            file.write(String.format(Locale.ROOT, "%0" + DIGITS + "d", value).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private Path file(String name) {
        return directory.resolve("unguarded-" + name);
    }
}
