package io.belay.redis;

import io.belay.servers.RedisServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

@Tag("single")
class RedisTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException, InterruptedException {
        return new RedisSpec(RedisServer.Version.V7_0);
    }
}
