package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.NullProbe;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @TempDir
    private Path directory;

    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        FileStoreProvider provider = new FileStoreProvider();
        Store.Listener listener = NullProbe.stub(Store.Listener.class);
        try (Store store = provider.open("file:" + directory, 1, listener)) {
            NullProbe probe = new NullProbe(
                    Set.of(),
                    List.of("x", List.of(), Request.Leave.of("x", ClaimId.of(1, 1), false), listener, provider, store));
            assertThat(probe.complaintsOf(List.of(FileStoreProvider.class, StoreProvider.class, Store.class)))
                    .isEmpty();
        }
    }
}
