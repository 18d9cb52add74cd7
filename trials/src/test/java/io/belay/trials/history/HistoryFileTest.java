package io.belay.trials.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.history.Event.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
    @TempDir
    private Path directory;

    @Test
    void isReadAsItWasWritten() throws IOException {
        Event event = new Event(1, "0.0", 2, Type.GRANTED, 3, "x", 4, 5, 6, Long.MAX_VALUE);
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            file.add(event);
        }
        assertThat(HistoryFile.readAll(directory)).containsExactly(event);
    }

    @Test
    void aLineThatAKillCutOffIsLeftOut() throws IOException {
        Event event = new Event(1, "0.0", 2, Type.ASK, 3, "x", 4, 5, -1, 0);
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            file.add(event);
        }
        Files.writeString(directory.resolve("0.0.history"), "2 0.0 2 REL", StandardOpenOption.APPEND);
        assertThat(HistoryFile.readAll(directory)).containsExactly(event);
    }
}
