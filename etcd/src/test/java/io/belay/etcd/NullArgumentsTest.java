package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        NullProbe probe =
                new NullProbe(Set.of(), List.of("x", NullProbe.stub(Store.Listener.class), new EtcdStoreProvider()));
        assertThat(probe.complaints(EtcdStoreProvider.class)).isEmpty();
    }
}
