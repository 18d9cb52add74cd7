package io.belay.trials.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.ClientClosedException;
import io.belay.StoreUnavailableException;
import io.belay.trials.plant.Plant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BelayLibraryTest {
    private static final StoreUnavailableException SILENT = new StoreUnavailableException("silent", null);

    @Test
    void onlyAWaitThatEndsByItsTimeMayEndWithoutAnAnswer() {
        try (Library library =
                Libraries.open(Libraries.BELAY, "memory:trials", Duration.ofSeconds(1), "0.0", Plant.NONE)) {
            Ask limited = Ask.mutex("x", Duration.ofMillis(50));
            assertThat(library.mayThrow(limited, SILENT)).isTrue();
            assertThat(library.mayThrow(Ask.mutex("x", Duration.ZERO), SILENT)).isTrue();
            assertThat(library.mayThrow(Ask.mutex("x", null), SILENT)).isFalse();
            assertThat(library.mayThrow(limited.endedBy(Ask.GiveUp.CANCEL), SILENT))
                    .isFalse();
            assertThat(library.mayThrow(limited.endedBy(Ask.GiveUp.INTERRUPT), SILENT))
                    .isFalse();
            assertThat(library.mayThrow(limited, new NullPointerException())).isFalse();
            assertThat(library.mayThrow(limited, new ClientClosedException("closed", null)))
                    .isFalse();
        }
    }
}
