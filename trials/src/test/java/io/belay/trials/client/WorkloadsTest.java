package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import io.belay.trials.library.Library;
import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadsTest {
    @TempDir
    private Path directory;

    /** A library whose locks others have. */
    private static final class TakenLibrary implements Library {
        @Override
        public Optional<Grant> acquire(Ask ask) {
            return Optional.empty();
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    @Test
    void eachThatIsNamedCanBeMade() throws Exception {
        try (HistoryFile file = new HistoryFile(directory, "0.0")) {
            Recorder recorder = new Recorder(new TakenLibrary(), file, "0.0", Holder.open(directory, 0));
            for (String name : Workloads.all().keySet()) {
                Settings settings =
                        new Settings(directory, 0, 0, "file:x", "belay", Plant.NONE, name, Duration.ofSeconds(1), 1);
                assertThat(Workloads.of(settings, recorder, TakenLibrary::new)).isNotNull();
            }
        }
        assertThat(Workloads.all()).containsKey("jobs");
    }
}
