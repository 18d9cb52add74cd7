package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.resource.ClientResources;
import java.nio.file.Path;
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
                        Path.of("x"),
                        NullProbe.stub(Store.Listener.class),
                        NullProbe.stub(RedisCredentialsProvider.class),
                        NullProbe.stub(ClientResources.class),
                        Redis.at("redis://localhost"),
                        new RedisStoreProvider()));
        assertThat(probe.complaints(Redis.class)).isEmpty();
    }
}
