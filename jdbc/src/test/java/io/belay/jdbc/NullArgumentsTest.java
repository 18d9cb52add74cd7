package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        NullProbe probe = new NullProbe(
                Set.of(),
                List.of(
                        "x",
                        Duration.ofSeconds(1),
                        NullProbe.stub(Store.Listener.class),
                        NullProbe.stub(DataSource.class),
                        NullProbe.stub(Connection.class),
                        NullProbe.stub(Lease.class),
                        List.of(),
                        Jdbc.at("jdbc:h2:mem:x"),
                        SqlFence.standard(),
                        new JdbcStoreProvider()));
        assertThat(probe.complaints(Jdbc.class)).isEmpty();
    }
}
