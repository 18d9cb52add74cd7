package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
                        NullProbe.stub(MongoClient.class),
                        Mongo.at("mongodb://localhost"),
                        new MongoStoreProvider()));
        assertThat(probe.complaints(Mongo.class)).isEmpty();
    }
}
