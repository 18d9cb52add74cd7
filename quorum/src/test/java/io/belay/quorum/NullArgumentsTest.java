package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.NullProbe;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        QuorumStoreProvider provider = new QuorumStoreProvider();
        Store.Listener listener = NullProbe.stub(Store.Listener.class);
        try (Store store = provider.open("quorum:memory:a,memory:b,memory:c", 1, listener)) {
            NullProbe probe = new NullProbe(
                    Set.of(),
                    List.of("x", List.of(), Request.Leave.of("x", ClaimId.of(1, 1), false), listener, provider, store));
            assertThat(probe.complaintsOf(List.of(QuorumStoreProvider.class, StoreProvider.class, Store.class)))
                    .isEmpty();
        }
    }
}
