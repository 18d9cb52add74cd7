package io.belay.trials.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.belay.trials.client.Settings;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Libraries;
import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientTest {
    @TempDir
    private Path directory;

    /** As one whose JVM has crashed: a trial that says no more than that it did not end well would be made again. */
    @Test
    void aProcessThatFailsBreaksAPromise() throws Exception {
        Settings settings = new Settings(
                directory, 3, 0, "memory:", Libraries.BELAY, Plant.NONE, "mutex", Duration.ofSeconds(1), 1);
        try (Signals signals = new Signals();
                Journal journal = new Journal(directory)) {
            String nothing = directory.toString();
            Client client = Client.start(settings, nothing, signals, journal);
            assertThat(client.awaitEnd(600)).startsWith("client 3.0 ended with 1");
        }
        assertThat(HistoryFile.readAll(directory))
                .filteredOn(event -> event.type() == Type.DEFECT)
                .extracting(Event::process, Event::name)
                .containsExactly(tuple("3.0", "exit-code-1"));
    }
}
