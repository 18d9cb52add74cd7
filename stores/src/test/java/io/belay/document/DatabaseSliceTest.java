package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Push;
import io.belay.spi.Store;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long the waiters of one client hand a lock on before others come, where its user has not said. */
class DatabaseSliceTest {
    @ParameterizedTest
    @CsvSource({"true,PT0.01S", "false,PT0.002S"})
    void isLongerWhereTheDatabaseIsReachedByANetwork(boolean far, Duration slice) {
        MapDocuments documents = new MapDocuments();
        documents.far = far;
        try (Store store = new DocumentStore("slice-test", documents, 1, new Store.Listener() {
            @Override
            public void pushed(Push push) {}

            @Override
            public void reconnected() {}
        })) {
            assertThat(store.slice()).isEqualTo(slice);
        }
    }
}
