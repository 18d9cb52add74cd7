package io.belay.trials.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Writes the history of one process: each event at once and in one piece, so that a kill loses none. Thread-safe. */
public final class HistoryFile implements AutoCloseable {
    private static final String SUFFIX = ".history";

    private final OutputStream out;

    /** Begins the history of this process in this directory. */
    public HistoryFile(Path directory, String process) throws IOException {
        out = new FileOutputStream(directory.resolve(process + SUFFIX).toFile());
    }

    /** Appends an event. */
    public void add(Event event) {
        byte[] line = (event.line() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (this) {
                out.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Returns all events of all histories in a directory, those of one process together and in its order. */
    public static List<Event> readAll(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
        List<Event> events = new ArrayList<>();
        for (Path file : files) {
            // What comes after the last line's end is the rest of a write that a kill cut off.
            String text = Files.readString(file);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            whole.lines()
                    .map(line -> Event.parse(line)
                            .orElseThrow(() -> new IllegalStateException(file + " has a broken line: " + line)))
                    .forEach(events::add);
        }
        return events;
    }
}
